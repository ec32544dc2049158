import { homedir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { environmentFromConfiguration, maskConfiguration, readConfiguration } from './configuration.ts';
import { installationRoot } from './installation.ts';
import { maskSecrets, maskUrl } from './mask-secrets.ts';

describe('readConfiguration', () => {
  it('keeps its home in the installation, or in the home folder where that is read-only', () => {
    const { home, artifacts, temporalNamespace } = readConfiguration({});
    expect([path.join(installationRoot(), '.thaw'), path.join(homedir(), '.thaw')]).toContain(home);
    expect(artifacts).toBe(path.join(home, 'artifacts'));
    expect(temporalNamespace).toBe('default');
  });

  it('reads paths from the current folder and ignores empty variables', () => {
    const configuration = readConfiguration({ THAW_HOME: 'here', THAW_DATABASE_URL: '', OTHER: 'x' });
    expect(configuration.home).toBe(path.resolve('here'));
    expect(configuration.databaseUrl).toBeNull();
  });

  it('names every wrong variable at once, with the nearest known name', () => {
    const read = () =>
      readConfiguration({ THAW_DATABASE_ULR: 'x', THAW_LOG_LEVEL: 'loud', THAW_TEMPORAL_ADDRESS: 'nowhere' });
    expect(read).toThrow(/THAW_DATABASE_ULR is not a variable of Thaw; did you mean THAW_DATABASE_URL\?/);
    expect(read).toThrow(/THAW_LOG_LEVEL/);
    expect(read).toThrow(/THAW_TEMPORAL_ADDRESS: expected host:port/);
  });

  it('proposes no name for one that resembles none', () => {
    expect(() => readConfiguration({ THAW_QQQQQQQQQQQQQQ: '1' })).toThrow(/not a variable of Thaw\.$/);
  });

  it('refuses a database that is not Postgres', () => {
    expect(() => readConfiguration({ THAW_DATABASE_URL: 'mysql://x/y' })).toThrow(/postgres:\/\//);
  });

  it('refuses addresses that notices cannot be posted to, and ports that there are not', () => {
    for (const url of ['ftp://host/', 'https://me:secret@host/', 'host/hook']) {
      expect(() => readConfiguration({ THAW_WEBHOOK_URL: url })).toThrow(/THAW_WEBHOOK_URL/);
    }
    for (const port of ['0', '65536', 'http']) {
      expect(() => readConfiguration({ THAW_METRICS_PORT: port })).toThrow(/THAW_METRICS_PORT: expected a port/);
    }
  });

  it('refuses credentials for a tracker that no address is named for', () => {
    expect(() => readConfiguration({ THAW_MLFLOW_TOKEN: 'a-token' })).toThrow(/THAW_MLFLOW_TOKEN: for which server/);
    expect(() => readConfiguration({ THAW_MLFLOW_URL: 'http://me:secret@host/' })).toThrow(/THAW_MLFLOW_URL/);
  });

  it('refuses what is longer than any path', () => {
    expect(() => readConfiguration({ THAW_HOME: 'x'.repeat(4097) })).toThrow(
      /THAW_HOME: expected at most 4096 characters/,
    );
  });

  it('survives the way through an environment', () => {
    const configuration = readConfiguration({ THAW_HOME: '/h', THAW_TEMPORAL_ADDRESS: 'localhost:7233' });
    expect(readConfiguration(environmentFromConfiguration(configuration))).toEqual(configuration);
    const limited = readConfiguration({
      THAW_WORKER_MEMORY_MIB: '512',
      THAW_CONTROL_GROUP: '/sys/fs/cgroup/thaw',
      THAW_UI_TOKEN: '0123456789abcdef',
      THAW_WEBHOOK_URL: 'https://hooks.example/T0/secret',
      THAW_WEBHOOK_SECRET: 'fedcba9876543210',
      THAW_MLFLOW_URL: 'https://mlflow.example/base',
      THAW_MLFLOW_TOKEN: 'a-token',
      THAW_MLFLOW_USERNAME: 'me',
      THAW_MLFLOW_PASSWORD: 'hidden',
      THAW_METRICS_PORT: '9464',
    });
    expect(limited).toMatchObject({ workerMemoryMib: 512, controlGroup: '/sys/fs/cgroup/thaw' });
    expect(readConfiguration(environmentFromConfiguration(limited))).toEqual(limited);
  });

  it('knows memory as a whole number of MiB only', () => {
    for (const text of ['0', '-1', '1.5', '2GiB']) {
      expect(() => readConfiguration({ THAW_WORKER_MEMORY_MIB: text })).toThrow(/whole number of MiB/);
    }
  });
});

describe('maskConfiguration', () => {
  it('shows no password', () => {
    const secret = 'tr0ub4dor';
    const databaseUrl = `postgres://me:${secret}@host:5432/thaw?sslpassword=${secret}&sslmode=require`;
    const token = 'a-token-that-nobody-knows';
    const masked = maskConfiguration(
      readConfiguration({
        THAW_DATABASE_URL: databaseUrl,
        THAW_UI_TOKEN: token,
        THAW_WEBHOOK_URL: `https://hooks.example/T0/${secret}?key=${secret}`,
        THAW_WEBHOOK_SECRET: `${secret}-and-more`,
        THAW_MLFLOW_URL: 'https://mlflow.example/',
        THAW_MLFLOW_TOKEN: secret,
        THAW_MLFLOW_PASSWORD: secret,
      }),
    );
    expect(JSON.stringify(masked)).not.toContain(secret);
    expect(masked.webhookUrl).toBe('https://hooks.example/***');
    expect(masked.uiToken).toBe('***');
    expect(masked.databaseUrl).toContain('host:5432/thaw');
    expect(maskUrl('postgres://me@host/thaw')).toBe('postgres://me@host/thaw');
  });

  it('shows none within other text either', () => {
    for (const secret of ['tr0ub4dor', 'a:b', 'p@ss', '%2F$x']) {
      const text = `no way to postgresql://me:${secret}@host:5432/thaw?sslpassword=${secret}&sslmode=require: "refused"`;
      const masked = 'no way to postgresql://me:***@host:5432/thaw?sslpassword=***&sslmode=require: "refused"';
      expect(maskSecrets(text)).toBe(masked);
    }
    expect(maskSecrets('mail me@host: key=1')).toBe('mail me@host: key=1');
  });
});
