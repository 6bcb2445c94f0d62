internal import SwiftParsing

/// The places of a file of Swift source that say something about a model, in their order.
///
/// ```swift
/// let sites = SourceSites(text).all       // NSPredicate(format: "magnitud > 5") of a request for Quake: one site
/// ```
///
/// Nothing is compiled, and the file need not be right: what cannot be read is passed over.
package struct SourceSites {
  /// The places.
  package private(set) var all: [SourceSite] = []
  /// The names of values whose entity the uses in other files may say.
  package var shared: Set<SharedValue> { Set(all.compactMap(\.shared)) }
  /// The comments `// perilune: ignore ...` by the lines that they silence.
  package let silences: [Int: Silence]

  /// A comment that silences a line.
  package struct Silence: Hashable, Sendable {
    /// Why; empty if the comment does not say it.
    package var reason: String
    /// Where the comment stands.
    package var range: Range<Int>
  }

  /// Finds the places in `text`, in time that grows with its length.
  package init(_ text: String) {
    let file = SwiftSourceFile(text)
    silences = SilencingComments(file).silences
    let finder = SiteFinder(file)
    for index in file.tokens.indices { all += finder.sites(at: index) }
  }

  /// The places with the entities that the uses of shared values in other files say.
  package func resolved(by uses: SharedUses) -> SourceSites {
    var resolved = self
    for (index, site) in all.enumerated() {
      guard let found = site.shared.flatMap(uses.entity) else { continue }
      (resolved.all[index].entity, resolved.all[index].isLikely) = (found.name, found.isLikely)
    }
    return resolved
  }

  /// Words one of which stands in each file with such places.
  package static let words = [
    "NSPredicate", "NSSortDescriptor", "#Predicate", "#Expression", "@FetchRequest", "@SectionedFetchRequest", "@Query",
    "FetchDescriptor", "NSFetchRequest", "NSExpression", "forKey", "perilune:",
  ]
}
