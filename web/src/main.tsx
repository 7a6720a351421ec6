import './styles/theme.css';
import './styles/base.css';
import './styles/frame.css';
import './styles/parts.css';
import './styles/code.css';
import './styles/views.css';
import { render } from 'preact';

import { App } from './app.js';
import { startClock } from './clock.js';
import { followDaemon } from './live.js';
import { followHash } from './router.js';
import { followTheme } from './theme.js';

followTheme();
followHash();
startClock();
followDaemon();
const place = document.getElementById('app');
if (place) render(<App />, place);
