'use strict';

const vscode = require('vscode');

// Values of the protocol as values of Visual Studio Code, and the other way round. Both count characters in UTF-16.

const position = (place) => ({ line: place.line, character: place.character });

const place = (document, at) => ({ textDocument: { uri: document.uri.toString() }, position: position(at) });

const range = (json) => new vscode.Range(json.start.line, json.start.character, json.end.line, json.end.character);

const rangeJSON = (range) => ({ start: position(range.start), end: position(range.end) });

/** Severities are numbered from 1 in the protocol, and from 0 here. */
function diagnostic(json) {
  const made = new vscode.Diagnostic(range(json.range), json.message, json.severity - 1);
  made.source = json.source;
  made.code = json.code;
  return made;
}

/** A kind of completion is one less here than in the protocol. */
function completion(json) {
  const made = new vscode.CompletionItem(json.label, json.kind - 1);
  made.sortText = json.sortText;
  made.detail = json.detail;
  made.insertText = json.textEdit.newText;
  made.range = range(json.textEdit.range);
  // What is typed so far may begin with signs that are no letters: `-time`, `'Chile`.
  made.filterText = json.textEdit.newText;
  return made;
}

function workspaceEdit(json) {
  const made = new vscode.WorkspaceEdit();
  for (const [uri, edits] of Object.entries(json.changes)) {
    made.set(vscode.Uri.parse(uri), edits.map((edit) => new vscode.TextEdit(range(edit.range), edit.newText)));
  }
  return made;
}

/** `execute` is the name of the command that runs one of the server. */
const command = (json, execute) =>
  ({ title: json.title, command: execute, arguments: [json.command, json.arguments] });

function codeAction(json, execute) {
  const made = new vscode.CodeAction(json.title, json.kind ? vscode.CodeActionKind.Empty.append(json.kind) : undefined);
  made.isPreferred = json.isPreferred;
  if (json.edit) made.edit = workspaceEdit(json.edit);
  if (json.diagnostics) made.diagnostics = json.diagnostics.map(diagnostic);
  if (json.command) made.command = command(json.command, execute);
  return made;
}

function hover(json) {
  return json ? new vscode.Hover(new vscode.MarkdownString(json.contents.value), range(json.range)) : undefined;
}

/** Kinds of symbols are one less here than in the protocol. */
function symbol(json) {
  return new vscode.DocumentSymbol(json.name, json.detail ?? '', json.kind - 1, range(json.range), range(json.selectionRange));
}

const markdown = (json) => json && new vscode.MarkdownString(json.value);

function signatureHelp(json) {
  if (!json) return undefined;
  const made = new vscode.SignatureHelp();
  made.activeSignature = json.activeSignature;
  made.activeParameter = json.activeParameter;
  made.signatures = json.signatures.map((signature) => {
    const one = new vscode.SignatureInformation(signature.label, markdown(signature.documentation));
    one.parameters = signature.parameters.map((parameter) =>
      new vscode.ParameterInformation(parameter.label, markdown(parameter.documentation)));
    one.activeParameter = signature.activeParameter;
    return one;
  });
  return made;
}

const location = (json) => (json ? new vscode.Location(vscode.Uri.parse(json.uri), range(json.range)) : undefined);

/** A lens without a command is asked for when it is seen. */
function lens(json, execute) {
  const made = new vscode.CodeLens(range(json.range), json.command && command(json.command, execute));
  made.json = json;
  return made;
}

function hint(json) {
  const made = new vscode.InlayHint(new vscode.Position(json.position.line, json.position.character), json.label);
  made.paddingLeft = json.paddingLeft;
  return made;
}

module.exports = {
  codeAction, completion, diagnostic, hint, hover, lens, location, place, position, range, rangeJSON, signatureHelp, symbol,
  workspaceEdit,
};
