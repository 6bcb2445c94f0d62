internal import Session
internal import SwiftReading

extension Workspace {
  /// The places of a Swift document that say something about a model.
  ///
  /// What the files of the folder do with the values that an open document shares is read once, until files are read again: other
  /// files cannot use a name that is just typed.
  func sites(of document: TextDocument, among documents: [TextDocument]) -> SourceSites {
    let sites = SourceSites(document.text)
    let shared = sites.shared
    guard folder != nil, !shared.isEmpty else { return sites }
    let isOpen = documents.contains { $0.uri == document.uri }
    if isOpen, !sharedUses.documents.contains(document.uri) {
      sharedUses.documents.insert(document.uri)
      sharedUses.uses = uses(of: shared.union(sharedUses.uses.values), among: documents)
    }
    return sites.resolved(by: sharedUses.uses)
  }

  private func uses(of values: Set<SharedValue>, among documents: [TextDocument]) -> SharedUses {
    var uses = SharedUses(of: values)
    let open = Dictionary(documents.map { ($0.path ?? "", $0.bytes) }) { first, _ in first }
    for path in files.swiftFiles {
      if let bytes = open[path] ?? (try? readFile(path)) { uses.add(bytes) }
    }
    return uses
  }
}
