'use strict';

// What the extension uses of the interface `vscode`, for a program without an editor: events, values, and providers that are kept
// to be called.

const fs = require('fs');
const { pathToFileURL, fileURLToPath } = require('url');

class Emitter {
  constructor() {
    this.listeners = new Set();
    this.event = (listener) => {
      this.listeners.add(listener);
      return { dispose: () => this.listeners.delete(listener) };
    };
  }

  fire(value) { return Promise.all([...this.listeners].map((listener) => listener(value))); }
}

class Position {
  constructor(line, character) { Object.assign(this, { line, character }); }
}

class Range {
  constructor(...places) {
    const [line, character, endLine, endCharacter] = places;
    this.start = new Position(line, character);
    this.end = new Position(endLine, endCharacter);
  }
}

class Uri {
  constructor(text) { this.text = text; }
  static parse(text) { return new Uri(text); }
  static file(path) { return new Uri(pathToFileURL(path).href); }
  get scheme() { return this.text.slice(0, this.text.indexOf(':')); }
  get fsPath() { return fileURLToPath(this.text); }
  toString() { return this.text; }
}

class Kind {
  constructor(value) { this.value = value; }
  append(part) { return new Kind(this.value ? `${this.value}.${part}` : part); }
}

const record = (...names) => class {
  constructor(...values) { names.forEach((name, index) => { this[name] = values[index]; }); }
};

class WorkspaceEdit {
  constructor() { this.edits = new Map(); }
  set(uri, edits) { this.edits.set(uri.toString(), edits); }
}

class Document {
  constructor(uri, languageId, text) { Object.assign(this, { uri, languageId, text, version: 1 }); }

  getText(range) { return range ? this.text.slice(this.offset(range.start), this.offset(range.end)) : this.text; }

  offset(position) {
    const lines = this.text.split('\n').slice(0, position.line);
    return lines.reduce((sum, line) => sum + line.length + 1, 0) + position.character;
  }

  /** The place behind the first occurrence of a text. */
  behind(text) {
    const before = this.text.slice(0, this.text.indexOf(text) + text.length).split('\n');
    return new Position(before.length - 1, before[before.length - 1].length);
  }
}

/** A stub of the interface for one folder, with its settings. */
function makeStub(folder, settings) {
  const events = {
    open: new Emitter(), change: new Emitter(), save: new Emitter(), close: new Emitter(), settings: new Emitter(),
    folders: new Emitter(), created: new Emitter(), changed: new Emitter(), deleted: new Emitter(),
    diagnostics: new Emitter(),
  };
  const made = { providers: {}, commands: {}, messages: [], diagnostics: new Map(), terminals: [], events };
  const register = (kind) => (selector, provider) => {
    made.providers[kind] = provider;
    return { dispose() { delete made.providers[kind]; } };
  };
  const root = { uri: Uri.file(folder), name: 'folder', index: 0 };
  const show = (severity) => (message) => {
    made.messages.push(`${severity}: ${message}`);
    return Promise.resolve(undefined);
  };
  const stub = {
    Position, Range, Uri, WorkspaceEdit,
    CodeAction: record('title', 'kind'), CodeActionKind: { Empty: new Kind('') },
    CompletionItem: record('label', 'kind'), CompletionList: record('items', 'isIncomplete'),
    Diagnostic: record('range', 'message', 'severity'),
    DocumentSymbol: record('name', 'detail', 'kind', 'range', 'selectionRange'),
    CodeLens: record('range', 'command'), FoldingRange: record('start', 'end'), InlayHint: record('position', 'label'),
    Location: record('uri', 'range'), ParameterInformation: record('label', 'documentation'),
    SignatureHelp: record(), SignatureInformation: record('label', 'documentation'), ViewColumn: { Beside: -2 },
    Hover: record('contents', 'range'), MarkdownString: record('value'), TextEdit: record('range', 'newText'),
    env: { appName: 'stub' },
    commands: {
      registerCommand(name, run) {
        made.commands[name] = run;
        return { dispose() { delete made.commands[name]; } };
      },
      executeCommand: (name, ...values) => Promise.resolve(made.commands[name](...values)),
    },
    languages: {
      createDiagnosticCollection: () => ({
        set(uri, list) {
          made.diagnostics.set(uri.toString(), list);
          events.diagnostics.fire(uri.toString());
        },
        clear() { made.diagnostics.clear(); },
        dispose() { made.diagnostics.clear(); },
      }),
      registerCompletionItemProvider: register('completion'), registerHoverProvider: register('hover'),
      registerCodeActionsProvider: register('codeActions'), registerDocumentSymbolProvider: register('symbols'),
      registerRenameProvider: register('rename'), registerSignatureHelpProvider: register('signatures'),
      registerDefinitionProvider: register('definition'), registerReferenceProvider: register('references'),
      registerFoldingRangeProvider: register('folding'), registerCodeLensProvider: register('lenses'),
      registerInlayHintsProvider: register('hints'),
    },
    window: {
      activeTextEditor: undefined,
      terminals: made.terminals,
      showTextDocument: (document) => show('document')(document.content),
      showErrorMessage: show('error'), showInformationMessage: show('information'),
      createTerminal(options) {
        const terminal = { name: options.name, options, sent: [], show() {}, sendText(text) { this.sent.push(text); } };
        made.terminals.push(terminal);
        return terminal;
      },
    },
    workspace: {
      textDocuments: [],
      openTextDocument: (document) => Promise.resolve(document),
      getConfiguration: () => ({ get: (name) => settings[name] }),
      getWorkspaceFolder: (uri) => (uri.toString().startsWith(root.uri.toString() + '/') ? root : undefined),
      createFileSystemWatcher: () => ({
        onDidCreate: events.created.event, onDidChange: events.changed.event, onDidDelete: events.deleted.event,
        dispose() {},
      }),
      onDidOpenTextDocument: events.open.event, onDidChangeTextDocument: events.change.event,
      onDidSaveTextDocument: events.save.event, onDidCloseTextDocument: events.close.event,
      onDidChangeConfiguration: events.settings.event, onDidChangeWorkspaceFolders: events.folders.event,
    },
  };
  return { stub, made };
}

/** What a person does in the editor. */
class Person {
  constructor(folder, settings) {
    this.folder = folder;
    Object.assign(this, makeStub(folder, settings));
  }

  /** The diagnostics of a document when they are next told. */
  told(document) {
    return new Promise((resolve) => {
      const subscription = this.made.events.diagnostics.event((uri) => {
        if (uri !== document.uri.toString()) return;
        subscription.dispose();
        resolve(this.made.diagnostics.get(uri));
      });
    });
  }

  /** Opens a file with a text, and returns it with its diagnostics. */
  async open(name, languageId, text) {
    const path = `${this.folder}/${name}`;
    fs.writeFileSync(path, text);
    const document = new Document(Uri.file(path), languageId, text);
    this.stub.workspace.textDocuments.push(document);
    const told = this.told(document);
    await this.made.events.open.fire(document);
    return { document, diagnostics: await told };
  }

  /** Replaces a range, and returns the diagnostics then. */
  async type(document, range, text) {
    const [start, end] = [document.offset(range.start), document.offset(range.end)];
    document.text = document.text.slice(0, start) + text + document.text.slice(end);
    document.version += 1;
    const told = this.told(document);
    await this.made.events.change.fire({ document, contentChanges: [{ range, text }] });
    return told;
  }
}

module.exports = { Person };
