internal import JSONRPC
internal import LuaBindings
internal import Modeling
internal import Session

// Requests about places of documents.
extension LanguageServer {
  /// What the server can do, besides keeping documents.
  static let providers: [String: JSON] = [
    "completionProvider": .object(["triggerCharacters": .array([".", ":", "\"", "'", " "].map(JSON.string))]),
    "hoverProvider": .bool(true), "documentSymbolProvider": .bool(true), "foldingRangeProvider": .bool(true),
    "semanticTokensProvider": .object(["legend": SemanticTokens.legend, "full": .bool(true)]),
    "definitionProvider": .bool(true), "referencesProvider": .bool(true),
    "signatureHelpProvider": .object(["triggerCharacters": .array(["(", ",", "{"].map(JSON.string))]),
    "codeActionProvider": .object(["codeActionKinds": .array(["quickfix", "refactor.rewrite"].map(JSON.string))]),
    "executeCommandProvider": .object(["commands": .array(ServerCommand.allCases.map { .string($0.rawValue) })]),
    "codeLensProvider": .object(["resolveProvider": .bool(true)]),
    "renameProvider": .object(["prepareProvider": .bool(true)]),
  ]

  /// Answers a request while the server runs.
  ///
  /// - Throws: MessageError for a method that there is not, and for parameters that are wrong.
  func answer(_ parameters: Parameters) throws(MessageError) -> JSON {
    switch parameters.method {
    case "textDocument/completion":
      let (document, offset) = try place(parameters)
      return Completion(document, at: offset).json(in: workspace, among: all)
    case "textDocument/hover":
      let (document, offset) = try place(parameters)
      return Hover(document, at: offset).json(in: workspace, among: all)
    case "textDocument/signatureHelp":
      let (document, offset) = try place(parameters)
      return SignatureHelp(document, at: offset).json(in: workspace, among: all)
    case "textDocument/definition":
      let (document, offset) = try place(parameters)
      return ModelDefinition(at: offset, in: document, workspace, among: all)?.json(workspace, among: all) ?? .null
    case "textDocument/documentSymbol":
      return Symbols(try document(try parameters.uri(), parameters)).json(in: workspace, among: all)
    case "textDocument/foldingRange":
      return FoldingRanges(try document(try parameters.uri(), parameters)).json(in: workspace, among: all)
    case "textDocument/semanticTokens/full":
      return SemanticTokens(try document(try parameters.uri(), parameters)).json(in: workspace, among: all)
    case "textDocument/codeLens":
      return PredicateLenses(try document(try parameters.uri(), parameters)).json(in: workspace, among: all)
    case "codeLens/resolve": return try resolveLens(parameters)
    case "textDocument/inlayHint":
      return CountHints(try document(try parameters.uri(), parameters), in: try range(parameters))
        .json(in: workspace, among: all)
    case "textDocument/codeAction": return try codeActions(parameters)
    case "workspace/executeCommand": return try execute(parameters)
    case "textDocument/references":
      guard var (_, uses) = try propertyUses(parameters) else { return .null }
      uses.includesDeclarations = parameters.value("context", "includeDeclaration") != .bool(false)
      return uses.locations(workspace, among: all)
    case "textDocument/prepareRename":
      guard let (document, uses) = try propertyUses(parameters) else { return .null }
      return .object(["range": document.json(uses.range), "placeholder": .string(uses.property.name)])
    case "textDocument/rename":
      let named = try propertyUses(parameters)
      let name = try parameters.text("newName")
      guard let named else { throw MessageError(.failed, "there is no property of a model to rename") }
      return try named.uses.edit(to: name, workspace, among: all)
    case let method: throw MessageError(.unknownMethod, "there is no method '\(BoundedText(method, 80).text)'")
    }
  }

  private var all: [TextDocument] { Array(documents.values) }

  /// The document that a request is about.
  private func document(_ uri: String, _ parameters: Parameters) throws(MessageError) -> TextDocument {
    guard let document = documents[uri] else {
      throw MessageError(.invalidParameters, "\(parameters.method): '\(BoundedText(uri, 200).text)' is not open")
    }
    return document
  }

  private func place(_ parameters: Parameters) throws(MessageError) -> (TextDocument, Int) {
    let document = try document(try parameters.uri(), parameters)
    return (document, document.offset(of: try parameters.position()))
  }

  /// The property at the place of a request; nil where there is none.
  private func propertyUses(_ parameters: Parameters) throws(MessageError) -> (
    document: TextDocument, uses: PropertyUses
  )? {
    let (document, offset) = try place(parameters)
    return PropertyUses(at: offset, in: document, workspace, among: all).map { (document, $0) }
  }

  /// The part of a document that a request is about.
  private func range(_ parameters: Parameters) throws(MessageError) -> Range<Int> {
    let document = try document(try parameters.uri(), parameters)
    guard let start = parameters.value("range", "start").flatMap(Position.init),
      let end = parameters.value("range", "end").flatMap(Position.init)
    else {
      throw MessageError(.invalidParameters, "\(parameters.method): expected 'range' to have two positions")
    }
    let (first, second) = (document.offset(of: start), document.offset(of: end))
    return min(first, second)..<max(first, second)
  }

  private func codeActions(_ parameters: Parameters) throws(MessageError) -> JSON {
    let document = try document(try parameters.uri(), parameters)
    var kinds: [String]?
    if case .array(let only)? = parameters.value("context", "only") {
      kinds = only.compactMap { if case .string(let kind) = $0 { kind } else { nil } }
    }
    return CodeActions(document, in: try range(parameters), kinds: kinds).json(in: workspace, among: all)
  }

  // MARK: Commands

  /// The document and the byte that a list of its URI and a position names.
  private func place(_ list: [JSON], _ what: String, _ parameters: Parameters) throws(MessageError) -> (
    TextDocument, Int
  ) {
    guard list.count == 2, case .string(let uri) = list[0], let position = Position(list[1]) else {
      throw MessageError(.invalidParameters, "\(what): expected the URI of a document and a position")
    }
    let document = try document(uri, parameters)
    return (document, document.offset(of: position))
  }

  private func resolveLens(_ parameters: Parameters) throws(MessageError) -> JSON {
    let (document, offset) = try place(try parameters.list("data"), parameters.method, parameters)
    return PredicateLenses.resolved(parameters.members, document, at: offset, workspace, among: all)
  }

  /// Runs a command; its result is a text, which is also shown as a message.
  private func execute(_ parameters: Parameters) throws(MessageError) -> JSON {
    let name = try parameters.text("command")
    guard let command = ServerCommand(rawValue: name) else {
      let hint = nearestName(to: name, in: ServerCommand.allCases.map(\.rawValue)).map { "; did you mean '\($0)'?" }
      throw MessageError(.invalidParameters, "there is no command '\(BoundedText(name, 80).text)'\(hint ?? "")")
    }
    let (document, offset) = try place(try parameters.list("arguments"), name, parameters)
    let standing = workspace.standingText(at: offset, in: document, among: all)
    guard let standing, standing.isCountable else {
      throw MessageError(.failed, "there is no predicate whose values are known, or no store to try it on")
    }
    guard let text = command.text(standing, workspace) else {
      throw MessageError(.failed, "\(name) has nothing to say of this predicate")
    }
    show(.information, text)
    return .string(text)
  }
}
