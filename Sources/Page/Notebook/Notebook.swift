internal import LuaBindings
internal import Modeling
internal import Reactive

/// The scripts of a folder as pages: those of `perilune serve --notebook FOLDER`, which run again when an editor saves them, and
/// what `.keep` has kept.
final class Notebook {
  private let folder: NotebookFolder
  /// What the names of its pages begin with.
  private let prefix: String
  private unowned let store: PageStore
  private var pages: [String: (script: NotebookScript, page: ScriptPage)] = [:]
  private var shownNames: [String] = []
  private var source: Reactive.ObservationToken?
  /// Called with what events of pages call a page, when it is to be read again.
  var onChange: (String) -> Void = { _ in }

  /// What the names of kept requests begin with, which no file of a folder has in its name.
  static let keptPrefix = "kept/"

  init(_ path: String, in store: PageStore) {
    (folder, prefix, self.store) = (NotebookFolder(path: path), "", store)
    let events = FolderEvents(path)
    source = store.session.engine.loop.add(
      LoopSource(
        descriptor: { events.descriptor }, interval: { events.pollInterval },
        run: { [unowned self] in
          events.drain()
          refresh()
        }))
  }

  /// What `.keep` has kept in a folder, which is read when a page is opened.
  init(kept path: String, in store: PageStore) {
    (folder, prefix, self.store) = (NotebookFolder(path: path), Self.keptPrefix, store)
  }

  func close() {
    source?.cancel()
    for (_, page) in pages.values { page.close() }
  }

  /// The names of the pages, in order.
  var names: [String] {
    shownNames = folder.names
    return shownNames.map { prefix + $0 }
  }

  /// The page of a file as the file is now.
  ///
  /// - Throws: PageProblem for a file that the folder does not have.
  func page(_ name: String) throws -> ScriptPage {
    guard let text = try folder.text(of: String(name.dropFirst(prefix.count))) else {
      pages.removeValue(forKey: name)?.page.close()
      throw PageProblem.noNotebookPage(name, nearest: nearestName(to: name, in: names))
    }
    if let (script, page) = pages[name] {
      if script.replace(text) { page.restart() }
      return page
    }
    let script = NotebookScript(name, text, store.session)
    let page = ScriptPage(.file(script), in: store)
    page.onChange = { [unowned self, unowned page] in onChange(page.list) }
    pages[name] = (script, page)
    return page
  }

  /// Looks which files have changed since they were shown.
  private func refresh() {
    for (name, page) in pages.mapValues(\.page).sorted(by: { $0.key < $1.key }) {
      // A file that is gone, or cannot be read, says so when it is opened.
      if (try? self.page(name)) == nil { onChange(page.list) }
    }
    if folder.names != shownNames { onChange(EntityCounts.name) }
  }
}
