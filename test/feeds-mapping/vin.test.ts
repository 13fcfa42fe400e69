import { expect, test } from 'vitest';
import { isPlaceholderVin, isVin, suggestVin, vinCheckDigitFits, vinModelYear } from '../../src/model/vin.ts';

test('a VIN has 17 characters without I, O and Q', () => {
  expect(isVin('1HGCY2F57RA000001')).toBe(true);
  for (const text of [
    '1HGCY2F57RA00000',
    '1HGCY2F57RA0000011',
    '1hgcy2f57ra000001',
    '1HGCY2F57RAOOOOO1',
    '1HGCY2F57RA00000I',
  ]) {
    expect(isVin(text), text).toBe(false);
  }
});

test('the check digit is that of the standard, X for ten', () => {
  for (const vin of ['1M8GDM9AXKP042788', '5GZCZ43D13S812715', '11111111111111111', '1FTFW5L82TFA90101']) {
    expect(vinCheckDigitFits(vin), vin).toBe(true);
  }
  expect(vinCheckDigitFits('1M8GDM9A0KP042788')).toBe(false);
  expect(vinCheckDigitFits('4T1G11AK0LUA90109')).toBe(false);
});

test('position 10 tells the model year', () => {
  expect(vinModelYear('1FTFW5L82TFA90101', 26)).toBe(2026);
  expect(vinModelYear('1FTFW5L82TFA90101', 96)).toBe(1996);
  expect(vinModelYear('1FTFW5L82TFA90101', 25)).toBeUndefined();
});

test('a stand-in is told from a VIN', () => {
  expect(isPlaceholderVin('11111111111111111')).toBe(true);
  expect(isPlaceholderVin('12345678901234567')).toBe(true);
  expect(isPlaceholderVin('1FTFW5L82TFA90101')).toBe(false);
});

test('a misread VIN gets a suggestion when one candidate only fits', () => {
  expect(suggestVin('5J6RT6H9XPLA9O106')).toBe('5J6RT6H9XPLA90106');
  expect(suggestVin('5J6RT6H9XPLA90106')).toBe('5J6RT6H9XPLA90106');
  expect(suggestVin('OOOOOOOOOOOOOOOOO')).toBeUndefined();
  expect(suggestVin('TOO SHORT')).toBeUndefined();
});
