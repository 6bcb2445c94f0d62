'use strict';

const vscode = require('vscode');
const { Connection } = require('./connection');
const converting = require('./converting');

/** What the server reads, and what it asks to hear of. */
const LANGUAGES = ['lua', 'swift'];
const FILES = '**/{*.lua,*.swift,contents}';
const EXECUTE = 'perilune.execute';

/** `perilune lsp` for one folder: its documents and what it says of them. */
class Server {
  /** @param {vscode.WorkspaceFolder | undefined} folder nil for files that are open by themselves */
  constructor(folder) {
    this.folder = folder;
    this.diagnostics = vscode.languages.createDiagnosticCollection('perilune');
    this.subscriptions = [this.diagnostics];
  }

  /** Starts the program and opens the documents; what cannot be started is said once. */
  async start() {
    const settings = vscode.workspace.getConfiguration('perilune', this.folder?.uri);
    const path = this.folder?.uri.fsPath;
    this.connection = new Connection(settings.get('path'), Server.options(settings), path, {
      notified: (method, parameters) => this.notified(method, parameters),
      ended: (reason) => this.ended(reason),
    });
    let begun;
    try {
      begun = await this.connection.request('initialize', {
        processId: process.pid,
        rootUri: this.folder?.uri.toString() ?? null,
        capabilities: { textDocument: { publishDiagnostics: { versionSupport: true } } },
        clientInfo: { name: vscode.env.appName },
      });
    } catch {
      return;
    }
    this.connection.notify('initialized', {});
    this.followDocuments();
    this.offer(begun.capabilities);
  }

  static options(settings) {
    const options = ['lsp'];
    for (const name of ['store', 'model']) {
      const value = settings.get(name);
      if (value) options.push(`--${name}`, value);
    }
    if (settings.get('showValues') === false) options.push('--no-values');
    if (settings.get('showCounts')) options.push('--counts');
    return options;
  }

  async stop() {
    this.isStopped = true;
    for (const subscription of this.subscriptions.splice(0)) subscription.dispose();
    await this.connection?.close();
  }

  // What the server says

  notified(method, parameters) {
    // What arrives between its end and that of the program is late.
    if (this.isStopped) return;
    switch (method) {
      case 'textDocument/publishDiagnostics':
        return this.diagnostics.set(vscode.Uri.parse(parameters.uri), parameters.diagnostics.map(converting.diagnostic));
      case 'window/showMessage':
        // What a command says is its result, too.
        if (this.isExecuting && parameters.type !== 1) return undefined;
        return parameters.type === 1
          ? vscode.window.showErrorMessage(`Perilune: ${parameters.message}`)
          : vscode.window.showInformationMessage(parameters.message);
    }
  }

  async ended(reason) {
    this.diagnostics.clear();
    const answer = await vscode.window.showErrorMessage(
      `Perilune's server is not running: ${reason}. The setting perilune.path names the program.`, 'Restart');
    if (answer) await vscode.commands.executeCommand('perilune.restart');
  }

  // Documents

  /** Whether a document is one of this server's. */
  serves(document) {
    if (!LANGUAGES.includes(document.languageId) || !['file', 'untitled'].includes(document.uri.scheme)) return false;
    return vscode.workspace.getWorkspaceFolder(document.uri)?.uri.toString() === this.folder?.uri.toString();
  }

  followDocuments() {
    const { workspace } = vscode;
    const open = (document) => {
      if (!this.serves(document)) return;
      this.connection.notify('textDocument/didOpen', {
        textDocument: {
          uri: document.uri.toString(), languageId: document.languageId, version: document.version,
          text: document.getText(),
        },
      });
    };
    const tell = (method) => (document) => {
      if (this.serves(document)) this.connection.notify(method, { textDocument: { uri: document.uri.toString() } });
    };
    const watcher = workspace.createFileSystemWatcher(FILES);
    const changed = (type) => (uri) =>
      this.connection.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: uri.toString(), type }] });
    this.subscriptions.push(
      workspace.onDidOpenTextDocument(open),
      workspace.onDidChangeTextDocument((event) => this.changed(event)),
      workspace.onDidSaveTextDocument(tell('textDocument/didSave')),
      workspace.onDidCloseTextDocument(tell('textDocument/didClose')),
      watcher, watcher.onDidCreate(changed(1)), watcher.onDidChange(changed(2)), watcher.onDidDelete(changed(3)));
    workspace.textDocuments.forEach(open);
  }

  changed(event) {
    if (!this.serves(event.document) || event.contentChanges.length === 0) return;
    this.connection.notify('textDocument/didChange', {
      textDocument: { uri: event.document.uri.toString(), version: event.document.version },
      contentChanges: event.contentChanges.map((change) => ({
        range: converting.rangeJSON(change.range), text: change.text,
      })),
    });
  }

  // Features

  /** Registers what the server can do. */
  offer(capabilities) {
    const { languages } = vscode;
    const selector = LANGUAGES.flatMap((language) => ['file', 'untitled'].map((scheme) => ({ language, scheme })));
    const ask = (method, document, parameters) =>
      this.serves(document) ? this.connection.request(`textDocument/${method}`, parameters).catch(() => null) : null;
    this.subscriptions.push(
      languages.registerCompletionItemProvider(
        selector,
        {
          provideCompletionItems: async (document, at) => {
            const list = await ask('completion', document, converting.place(document, at));
            return list && new vscode.CompletionList(list.items.map(converting.completion), list.isIncomplete);
          },
        },
        ...capabilities.completionProvider.triggerCharacters),
      languages.registerHoverProvider(selector, {
        provideHover: async (document, at) =>
          converting.hover(await ask('hover', document, converting.place(document, at))),
      }),
      languages.registerCodeActionsProvider(selector, {
        provideCodeActions: async (document, range, context) => {
          const actions = await ask('codeAction', document, {
            textDocument: { uri: document.uri.toString() }, range: converting.rangeJSON(range),
            context: { diagnostics: [], only: context.only && [context.only.value] },
          });
          return (actions ?? []).map((action) => converting.codeAction(action, EXECUTE));
        },
      }),
      languages.registerDocumentSymbolProvider(selector, {
        provideDocumentSymbols: async (document) => {
          const symbols = await ask('documentSymbol', document, { textDocument: { uri: document.uri.toString() } });
          return (symbols ?? []).map(converting.symbol);
        },
      }),
      languages.registerRenameProvider(selector, this.renaming()),
      ...this.reading(selector, ask, capabilities));
  }

  /** Registers what is shown of calls, names and predicates. Colours are left to the editor's own server of the language. */
  reading(selector, ask, capabilities) {
    const { languages } = vscode;
    const whole = (document) => ({ textDocument: { uri: document.uri.toString() } });
    const lens = (json) => converting.lens(json, EXECUTE);
    const registered = [
      languages.registerSignatureHelpProvider(
        selector,
        {
          provideSignatureHelp: async (document, at) =>
            converting.signatureHelp(await ask('signatureHelp', document, converting.place(document, at))),
        },
        ...capabilities.signatureHelpProvider.triggerCharacters),
      languages.registerDefinitionProvider(selector, {
        provideDefinition: async (document, at) =>
          converting.location(await ask('definition', document, converting.place(document, at))),
      }),
      languages.registerReferenceProvider(selector, {
        provideReferences: async (document, at, context) =>
          (await ask('references', document, { ...converting.place(document, at), context }) ?? []).map(converting.location),
      }),
      languages.registerFoldingRangeProvider(selector, {
        provideFoldingRanges: async (document) =>
          (await ask('foldingRange', document, whole(document)) ?? [])
            .map((json) => new vscode.FoldingRange(json.startLine, json.endLine)),
      }),
      languages.registerCodeLensProvider(selector, {
        provideCodeLenses: async (document) => (await ask('codeLens', document, whole(document)) ?? []).map(lens),
        resolveCodeLens: async (made) => lens(await this.connection.request('codeLens/resolve', made.json)),
      }),
    ];
    if (!capabilities.inlayHintProvider) return registered;
    return [...registered, languages.registerInlayHintsProvider(selector, {
      provideInlayHints: async (document, range) =>
        (await ask('inlayHint', document, { ...whole(document), range: converting.rangeJSON(range) }) ?? [])
          .map(converting.hint),
    })];
  }

  /** Renaming fails with the server's words, which the editor shows. */
  renaming() {
    return {
      prepareRename: async (document, at) => {
        const found = this.serves(document)
          && await this.connection.request('textDocument/prepareRename', converting.place(document, at));
        if (!found) throw new Error('There is no property of a model to rename.');
        return { range: converting.range(found.range), placeholder: found.placeholder };
      },
      provideRenameEdits: async (document, at, newName) =>
        converting.workspaceEdit(
          await this.connection.request('textDocument/rename', { ...converting.place(document, at), newName })),
    };
  }

  /** Runs a command of the server, and shows what it says: a table in a document beside. */
  async execute(command, parameters) {
    this.isExecuting = true;
    let text;
    try {
      text = await this.connection.request('workspace/executeCommand', { command, arguments: parameters });
    } finally {
      this.isExecuting = false;
    }
    if (text.split('\n').length < 4) return vscode.window.showInformationMessage(text);
    const document = await vscode.workspace.openTextDocument({ content: text, language: 'plaintext' });
    return vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true });
  }
}

module.exports = { EXECUTE, LANGUAGES, Server };
