import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openerOf } from './open-browser.ts';

describe('what a browser is given to open', () => {
  it('is the link itself where it is no secret', () => {
    expect(openerOf('http://127.0.0.1:8429/', { isSecret: false }).place).toBe('http://127.0.0.1:8429/');
  });

  it('is a file that nobody else can read where it is: arguments of processes are seen by all', () => {
    const link = 'http://127.0.0.1:8429/?token=a-token-that-nobody-knows';
    const { place, remove } = openerOf(link, { isSecret: true });
    expect(place).not.toContain('token');
    expect(readFileSync(place, 'utf8')).toContain(`content="0; url=${link}"`);
    expect([place, path.dirname(place)].map((each) => statSync(each).mode & 0o777)).toEqual([0o600, 0o700]);
    remove();
    expect(existsSync(path.dirname(place))).toBe(false);
  });
});
