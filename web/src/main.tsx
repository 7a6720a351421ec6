import { render } from 'preact';

import { connect, connection, snapshot } from './live.js';

function App() {
  const state = connection.value;
  const known = snapshot.value;
  if (state === 'signed-out') {
    return (
      <main>
        <h1>PML</h1>
        <p>
          Sign in with <code>pml ui</code>.
        </p>
      </main>
    );
  }
  return (
    <main>
      <h1>PML</h1>
      <p role="status">{state}</p>
      {known && (
        <>
          <h2>Questions waiting for you</h2>
          <p>{known.questions.length}</p>
          <h2>Servers</h2>
          <table>
            <tbody>
              {known.status.servers.map((server) => (
                <tr key={server.name}>
                  <th scope="row">{server.name}</th>
                  <td>{server.state}</td>
                  <td>{server.tools} tools</td>
                </tr>
              ))}
            </tbody>
          </table>
          <h2>Calls</h2>
          <ul>
            {known.calls.map((call) => (
              <li key={call.id}>
                {call.tool} {call.outcome}
              </li>
            ))}
          </ul>
        </>
      )}
    </main>
  );
}

connect();
const root = document.getElementById('app');
if (root) render(<App />, root);
