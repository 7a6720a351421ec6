import { expect, test } from 'vitest';

import { withoutValues } from './request-values.js';

test.each([
  ['rename report.txt to final.txt', 'rename txt file to txt file'],
  ['report the air quality in air_quality.pdf', 'report the air quality in air_quality.pdf file'],
  ['convert q3.final.XLSX to pdf', 'convert xlsx file to pdf'],
  ['mail anna@shop.py about example.com/a.html', 'mail anna@shop.py about example.com/a.html'],
  ['which node.js version runs', 'which node.js version runs'],
  ['release v1.2 e.g. today', 'release v1.2 e.g. today'],
])('the file names of %j are kinds of files: %j', (request, plain) => {
  expect(withoutValues(request)).toBe(plain);
});

test.each([
  ['send back what I type exactly: "delete all customers"', 'send back what I type exactly: '],
  ["replace 'colour' with 'color' in all my old files", 'replace  with  in all my old files'],
  ["don't touch the user's notes today", "don't touch the user's notes today"],
])('quoted texts of %j say nothing: %j', (request, plain) => {
  expect(withoutValues(request)).toBe(plain);
});

test('a quoted text counts where nothing else says what is wanted', () => {
  expect(withoutValues('find "machine learning papers"')).toBe('find "machine learning papers"');
});
