/// A function or member that scripts can use, with a line of help. The catalog feeds help, completion and the
/// documentation test.
///
/// Entries are declared where the thing is bound, beside its body.
public struct CatalogEntry: Hashable, Sendable {
  /// How it is used.
  public enum Kind: Hashable, Sendable {
    /// `name(...)`
    case function
    /// `owner:name(...)`
    case method
    /// `owner.name`
    case property
    /// A field of the table that `owner` takes: `FetchRequest { fetchLimit = 10 }`.
    case option
  }

  /// How it is used.
  public let kind: Kind
  /// What it belongs to, as help calls it (`Request`, `Store`, ...); empty for globals.
  public let owner: String
  /// Its own name.
  public let name: String
  /// How a call is written, results after an arrow: `request:limit(n) -> request`.
  public let signature: String
  /// One sentence.
  public let summary: String

  /// The name with its owner, as help lists it.
  public var title: String {
    switch kind {
    case .function: name
    case .method: "\(owner):\(name)"
    case .property, .option: "\(owner).\(name)"
    }
  }
}

/// All entries, in the order of the documentation.
public struct Catalog: Sendable {
  /// Each thing that can be called, read or set as an option.
  public internal(set) var entries: [CatalogEntry] = []

  /// Adds an entry at the end.
  mutating func add(_ entry: CatalogEntry) { entries.append(entry) }

  /// The entries of `owner`; the globals for "".
  public func members(of owner: String) -> [CatalogEntry] { entries.filter { $0.owner == owner } }

  /// The entries called `name`, with or without their owner.
  public func entries(named name: String) -> [CatalogEntry] {
    let plain = name.replacing(":", with: ".")
    return entries.filter { $0.name == name || $0.title.replacing(":", with: ".") == plain || $0.owner == name }
  }
}
