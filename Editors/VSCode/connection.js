'use strict';

const { spawn } = require('child_process');

/**
 * A conversation by JSON-RPC with a program over its standard input and output, as the Language Server Protocol has it: messages
 * behind a header with their length in bytes.
 */
class Connection {
  /**
   * Starts the program.
   * @param {string} program
   * @param {string[]} options
   * @param {string | undefined} folder the folder in which it runs
   * @param {{ notified: (method: string, parameters: any) => void, ended: (reason: string) => void }} owner what is called for
   *   notifications of the program, and once when it ends by itself
   */
  constructor(program, options, folder, owner) {
    this.owner = owner;
    this.lastID = 0;
    /** The requests without an answer, by their numbers. */
    this.waiting = new Map();
    this.received = Buffer.alloc(0);
    this.errors = '';
    this.isClosing = false;
    this.process = spawn(program, options, { cwd: folder });
    this.process.on('error', (error) =>
      this.end(error.code === 'ENOENT' ? `there is no program '${program}'` : error.message));
    this.process.on('close', (status) => this.end(this.errors.trim() || `it ended with status ${status}`));
    // A program that has ended takes nothing; the reason is told by its end.
    this.process.stdin.on('error', () => {});
    this.process.stdout.on('data', (bytes) => this.receive(bytes));
    this.process.stderr.on('data', (bytes) => { this.errors = (this.errors + bytes).slice(-2000); });
  }

  /** Asks the program; the promise fails with an error whose `code` is that of the answer. */
  request(method, parameters) {
    return new Promise((resolve, reject) => {
      if (this.hasEnded) return reject(new Error('the program has ended'));
      const id = ++this.lastID;
      this.waiting.set(id, { resolve, reject });
      this.send({ id, method, params: parameters });
    });
  }

  notify(method, parameters) {
    if (!this.hasEnded) this.send({ method, params: parameters });
  }

  /** Ends the conversation in the order of the protocol, or by force where the program does not answer. */
  async close() {
    if (this.hasEnded) return;
    this.isClosing = true;
    const ended = new Promise((resolve) => this.process.once('close', resolve));
    const force = setTimeout(() => this.process.kill(), 5000);
    try {
      await this.request('shutdown', null);
      this.notify('exit', null);
    } catch {
      this.process.kill();
    }
    await ended;
    clearTimeout(force);
  }

  send(message) {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.process.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  receive(bytes) {
    this.received = Buffer.concat([this.received, bytes]);
    for (;;) {
      const end = this.received.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = /^Content-Length: *(\d+)/im.exec(this.received.toString('latin1', 0, end));
      const begin = end + 4;
      if (!length) return this.process.kill();
      const next = begin + Number(length[1]);
      if (this.received.length < next) return;
      const text = this.received.toString('utf8', begin, next);
      this.received = this.received.subarray(next);
      this.take(JSON.parse(text));
    }
  }

  take(message) {
    if (message.method === undefined) {
      const request = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      if (!request) return;
      if (message.error) request.reject(Object.assign(new Error(message.error.message), { code: message.error.code }));
      else request.resolve(message.result);
    } else if (message.id === undefined) {
      this.owner.notified(message.method, message.params);
    } else {
      this.send({ id: message.id, error: { code: -32601, message: `there is no method '${message.method}'` } });
    }
  }

  end(reason) {
    if (this.hasEnded) return;
    this.hasEnded = true;
    for (const request of this.waiting.values()) request.reject(new Error(reason));
    this.waiting.clear();
    if (!this.isClosing) this.owner.ended(reason);
  }
}

module.exports = { Connection };
