internal import Glibc
internal import LuaBindings
internal import Modeling
internal import Session
internal import SourceChecking
internal import Stores
internal import SwiftReading

/// The folder that is open in the editor, and the models of what is in it.
///
/// Everything is read when it is first needed, and again when a file was saved.
final class Workspace {
  /// The open folder; nil where files are open by themselves.
  var folder: String?
  /// Shows a message to the person, once for each reason.
  var report: (String) -> Void = { _ in }
  private let served: ServedModel
  /// Sessions by the file of their model; the empty path stands for what the command line names.
  private var sessions: [String: QuietSession] = [:]
  private var projects: [String: SwiftProject] = [:]
  /// What the other scripts of a document's folder define.
  private var others: [String: ScriptChecker] = [:]
  private var tree: SourceTree?
  private var reported: Set<String> = []
  /// What the files of the folder do with the values that documents share.
  var sharedUses: (documents: Set<String>, uses: SharedUses) = ([], SharedUses(of: []))
  /// What the plans of the store say, until files are read again.
  private var plans: PlanNotes?

  init(_ served: ServedModel) { self.served = served }

  var isModelNamed: Bool { served.isNamed }
  /// The path of the store of the command line.
  var storePath: String? { served.storePath }
  var showsValues: Bool { served.showsValues }
  var showsCounts: Bool { served.showsCounts }

  /// Reads again what is in files.
  func forgetFiles() {
    (projects, others, tree, plans) = ([:], [:], nil, nil)
    sharedUses = ([], SharedUses(of: []))
    guard !served.isNamed else { return }
    for session in sessions.values { session.session.close() }
    sessions = [:]
  }

  func close() { for session in sessions.values { session.session.close() } }

  // MARK: Sessions

  /// The session with the store or the model of a document; nil where none can be made.
  func session(of document: TextDocument) -> QuietSession? {
    let project = served.isNamed ? nil : document.path.flatMap(ProjectModel.path)
    if let known = sessions[project ?? ""] { return known }
    do {
      var options = Engine.Options()
      options.opensReadOnly = served.storePath != nil
      let made = try QuietSession(options)
      sessions[project ?? ""] = made
      open(project, in: made)
      return made
    } catch {
      tell("\(error)")
      return nil
    }
  }

  /// Opens the store, or an empty one with the model. What cannot be opened leaves the checks of syntax.
  private func open(_ project: String?, in session: QuietSession) {
    let model = (served.modelPath ?? project).flatMap(model)
    let status = session.session.guarding {
      if let path = served.storePath {
        var options = StoreOptions(path: path)
        (options.readOnly, options.model) = (true, model)
        try session.engine.open(options)
      } else if let model {
        try session.session.open(model)
      }
    }
    if status != 0 { tell(session.mistakes.first ?? "the store cannot be opened") }
  }

  /// The most seconds that the script of a model may run.
  private static let modelSeconds = 2.0

  /// The model that a file describes. A script of it runs in the sandbox.
  private func model(at path: String) -> Model? {
    var options = Engine.Options()
    options.isSandboxed = true
    guard let reader = try? QuietSession(options, timeout: Self.modelSeconds) else { return nil }
    defer { reader.session.close() }
    var model: Model?
    let status = reader.session.guarding {
      model =
        path == served.modelPath
        ? try reader.session.loadModel(path, version: served.modelVersion) : try reader.session.projectModel(of: path)
    }
    if status != 0 { tell(reader.mistakes.first ?? "the model '\(path)' cannot be read") }
    return model
  }

  private func tell(_ message: String) { if reported.insert(message).inserted { report(message) } }

  // MARK: Findings

  /// What `perilune check` finds in a document.
  func findings(in document: TextDocument, among documents: [TextDocument]) -> [CheckFinding] {
    let lines = SourceLines(document.text)
    let name = document.path ?? document.uri
    switch document.language {
    case .lua?:
      guard let session = session(of: document) else { return [] }
      var checker = others(than: document, among: documents, session.engine)
      let index = checker.add(document.bytes)
      return checker.mistakes(index).map { CheckFinding($0, in: name, lines) }
        + (planNotes(session)?.findings(checker.requests(index), in: name, lines) ?? [])
    case .swift?:
      let result = checker(for: document, among: documents).check(document.text, sites(of: document, among: documents))
      let notes = session(of: document).flatMap(planNotes)?.findings(result.requests, in: name, lines)
      return result.findings.map { CheckFinding($0, in: name, lines) } + (notes ?? [])
    case nil: return []
    }
  }

  /// The notes on plans of the store; nil without one.
  func planNotes(_ session: QuietSession) -> PlanNotes? {
    guard served.storePath != nil else { return nil }
    let notes = plans ?? PlanNotes(session.engine)
    plans = notes
    return notes
  }

  /// A checker that knows the names of the other scripts in the folder.
  private func others(than document: TextDocument, among documents: [TextDocument], _ engine: Engine) -> ScriptChecker {
    if let known = others[document.uri] { return known }
    var checker = ScriptChecker(engine)
    if let path = document.path, let folder, path.hasPrefix(FilePath.file("", in: folder)) {
      let open = Dictionary(documents.map { ($0.path ?? "", $0.bytes) }) { first, _ in first }
      for other in files.luaFiles where other != path {
        if let bytes = open[other] ?? (try? readFile(other)) { checker.add(bytes) }
      }
    }
    others[document.uri] = checker
    return checker
  }

  /// The open documents, and the files of the folder that are not open.
  func texts(among documents: [TextDocument]) -> [TextDocument] {
    guard folder != nil else { return documents }
    let open = Set(documents.compactMap(\.path))
    let closed = (files.luaFiles + files.swiftFiles).filter { !open.contains($0) }
    return documents + closed.compactMap { text(ofFile: $0, among: documents) }
  }

  /// The text of a file, as it is open or else as it is on disk.
  func text(ofFile path: String, among documents: [TextDocument]) -> TextDocument? {
    if let open = documents.first(where: { $0.path == path }) { return open }
    guard let encoding = documents.first?.encoding, let bytes = try? readFile(path) else { return nil }
    return TextDocument(
      uri: DocumentAddress.uri(ofFile: path), language: "", version: nil,
      text: String(decoding: bytes, as: UTF8.self), encoding)
  }

  /// The files of models, with their whole paths: that of the command line, or else those that the document's project has.
  func modelFiles(for document: TextDocument, among documents: [TextDocument]) -> [String] {
    let swift = project(of: document, among: documents)
    let found =
      served.modelPath.map { [$0] }
      ?? [document.path.flatMap(ProjectModel.path)].compactMap(\.self) + (swift?.modelFolders ?? [])
      + (swift?.texts.keys.sorted() ?? [])
    return found.compactMap { path in
      guard !path.hasPrefix("/"), let whole = realpath(path, nil) else { return path }
      defer { free(whole) }
      return String(cString: whole)
    }
  }

  /// The version of a model that has several; nil for the current one.
  func modelVersion(of path: String) -> String? { served.modelPath == nil ? nil : served.modelVersion }

  var files: SourceTree {
    if let tree { return tree }
    let read = SourceTree(folder ?? ".")
    tree = read
    return read
  }

  // MARK: Swift

  /// The checker of a Swift document, with the models of its project.
  func checker(for document: TextDocument, among documents: [TextDocument]) -> SourceChecker {
    if served.isNamed {
      let model = session(of: document)?.engine.store?.model
      return SourceChecker(
        model.map { [SourceModel($0, isSwiftData: $0.hasSwiftTypes)] } ?? [], readsRequests: storePath != nil)
    }
    return project(of: document, among: documents)?.checker ?? SourceChecker([])
  }

  /// Takes the text of a document that has changed, where it is one of a model.
  func take(_ document: TextDocument) {
    guard document.language == .swift, !served.isNamed, let root = root(of: document) else { return }
    projects[root]?.take(document)
  }

  func project(of document: TextDocument, among documents: [TextDocument]) -> SwiftProject? {
    guard let root = root(of: document) else { return nil }
    if projects[root] == nil {
      var made = SwiftProject(root == folder ? files : SourceTree(root))
      for document in documents where document.language == .swift && self.root(of: document) == root {
        made.take(document)
      }
      projects[root] = made
    }
    return projects[root]
  }

  /// The open folder where the document is in it, or else that of the document.
  private func root(of document: TextDocument) -> String? {
    guard let path = document.path else { return folder }
    if let folder, path.hasPrefix(FilePath.file("", in: folder)) { return folder }
    return FilePath.folder(of: path)
  }
}
