import { expect, test } from 'vitest';

import { inEnglish } from './in-english.js';

test.each([
  ['Zeig mir den Inhalt der Datei', 'show content file'],
  ['supprime le client Globex du CRM', 'delete customer Globex CRM'],
  ['¿qué archivos hay en la carpeta?', '¿ file folder?'],
  ['mostra il contenuto della cartella', 'show content folder'],
  ['mostre os arquivos da pasta', 'show file folder'],
])('%j is read as %j', (request, english) => {
  expect(inEnglish(request)).toBe(english);
});

test.each([
  'list the files in the folder',
  'send a mail to Der Spiegel about the die cast',
  'find El Paso and La Jolla on the map',
  'who is on la liste',
  'メールを送る',
  '',
])('%j stays as it is', (request) => {
  expect(inEnglish(request)).toBe(request);
});
