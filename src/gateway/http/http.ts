/** The second door of the gateway: HTTP, which loads the SDK. */
export { type HttpOptions, HttpServer } from './http-server.js';
