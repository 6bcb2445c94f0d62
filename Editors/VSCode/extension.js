'use strict';

const vscode = require('vscode');
const { EXECUTE, LANGUAGES, Server } = require('./server');

/** The running servers by their folders; the empty text stands for files that are in none. */
const servers = new Map();

/** Starts what checks Lua and Swift files while they are open. */
async function activate(context) {
  const { commands, workspace } = vscode;
  context.subscriptions.push(
    commands.registerCommand('perilune.restart', restart),
    commands.registerCommand('perilune.runSelection', runSelection),
    commands.registerCommand(EXECUTE, execute),
    workspace.onDidOpenTextDocument(serve),
    workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('perilune') && restart()),
    workspace.onDidChangeWorkspaceFolders((event) => Promise.all(event.removed.map(stop))));
  await Promise.all(workspace.textDocuments.map(serve));
}

async function deactivate() {
  const running = [...servers.values()];
  servers.clear();
  await Promise.all(running.map((server) => server.stop()));
}

/** Starts the server of a document's folder, unless it runs. */
async function serve(document) {
  if (!LANGUAGES.includes(document.languageId) || !['file', 'untitled'].includes(document.uri.scheme)) return;
  const folder = vscode.workspace.getWorkspaceFolder(document.uri);
  const key = folder?.uri.toString() ?? '';
  if (servers.has(key)) return;
  const server = new Server(folder);
  servers.set(key, server);
  await server.start();
}

async function stop(folder) {
  const key = folder.uri.toString();
  const server = servers.get(key);
  servers.delete(key);
  await server?.stop();
}

async function restart() {
  await deactivate();
  await Promise.all(vscode.workspace.textDocuments.map(serve));
}

/** Runs a command of the server for the document that its arguments begin with. */
function execute(command, parameters) {
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(parameters[0]));
  return servers.get(folder?.uri.toString() ?? '')?.execute(command, parameters);
}

/** Types what is selected at the prompt of Perilune, in a terminal. */
function runSelection() {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return;
  const folder = vscode.workspace.getWorkspaceFolder(editor.document.uri);
  const settings = vscode.workspace.getConfiguration('perilune', folder?.uri);
  const store = settings.get('store');
  const open = vscode.window.terminals.find((terminal) => terminal.name === 'Perilune' && terminal.exitStatus === undefined);
  const terminal = open ?? vscode.window.createTerminal({
    name: 'Perilune', shellPath: settings.get('path'), shellArgs: store ? [store] : [], cwd: folder?.uri,
  });
  terminal.show(true);
  terminal.sendText(editor.document.getText(editor.selection));
}

module.exports = { activate, deactivate };
