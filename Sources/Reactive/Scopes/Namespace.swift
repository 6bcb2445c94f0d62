internal import Synchronization

/// Names that identify the same thing in several places, one of which is the source.
///
///     let heroes = Namespace<String>()
///     heroes.tag("hero", "the row in the list")
///     heroes.tag("hero", "the picture in the detail", isSource: false)
///     heroes.resolve("hero")                               // "the row in the list"
///
/// A namespace is unique: the same name in another one is independent. A name has one source at a time; a second source
/// is reported to `onWarning` once, and is used when the first is removed.
public final class Namespace<Thing> {
  private struct Tag {
    var number: Int
    var thing: Thing
    var isSource: Bool
  }

  /// A number that identifies the namespace within the program.
  public let id = NamespaceNumber.next()
  /// Called when a name gets a second source.
  public var onWarning: (NamespaceWarning<Thing>) -> Void = { _ in }

  private let isSame: (Thing, Thing) -> Bool
  private var tags: [AnyHashable: [Tag]] = [:]
  private var warned: Set<AnyHashable> = []
  /// The sources that notify readers of a name when it resolves to another thing.
  private var observed: [AnyHashable: ObservationSource] = [:]
  private var tagged = 0

  /// Creates a namespace for things that `isSame` compares.
  public init(isSame: @escaping (Thing, Thing) -> Bool) { self.isSame = isSame }

  /// Creates a namespace.
  public convenience init() where Thing: Equatable { self.init(isSame: ==) }

  /// Tags a thing with a name, as the name's source or as one of its readers. The namespace retains the thing until it is untagged.
  @discardableResult
  public func tag(_ name: AnyHashable, _ thing: Thing, isSource: Bool = true) -> ObservationToken {
    var list = tags[name, default: []]
    tagged += 1
    let tag = Tag(number: tagged, thing: thing, isSource: isSource)
    if let known = list.firstIndex(where: { isSame($0.thing, thing) }) { list[known] = tag } else { list.append(tag) }
    let before = tags[name] ?? []
    tags[name] = list
    defer { noteChange(of: name, from: before, to: list) }
    let sources = list.filter(\.isSource)
    if sources.count < 2 {
      warned.remove(name)
    } else if isSource, warned.insert(name).inserted {
      onWarning(NamespaceWarning(name: name, first: sources[0].thing, second: thing))
    }
    let number = tagged
    return ObservationToken { [weak self] in self?.removeTags(of: name) { $0.number == number } }
  }

  /// Removes a name from a thing, or from all things.
  public func untag(_ name: AnyHashable, _ thing: Thing? = nil) {
    removeTags(of: name) { tag in thing.map { isSame($0, tag.thing) } ?? true }
  }

  /// The source of a name; nil if it has none. The read is tracked: readers are notified when names are added or
  /// removed.
  public func resolve(_ name: AnyHashable) -> Thing? {
    noteRead(of: name)
    return tags[name]?.first(where: \.isSource)?.thing
  }

  /// The things with a name that are not its source, in the order in which they were tagged.
  public func readers(of name: AnyHashable) -> [Thing] {
    noteRead(of: name)
    let list = tags[name] ?? []
    let source = list.firstIndex(where: \.isSource)
    return list.indices.filter { $0 != source }.map { list[$0].thing }
  }

  private func removeTags(of name: AnyHashable, where isMeant: (Tag) -> Bool) {
    guard let before = tags[name] else { return }
    var list = before
    list.removeAll(where: isMeant)
    tags[name] = list.isEmpty ? nil : list
    if list.filter(\.isSource).count < 2 { warned.remove(name) }
    noteChange(of: name, from: before, to: list)
    if list.isEmpty, observed[name]?.isObserved == false { observed[name] = nil }
  }

  /// Notifies the readers of a name, unless it resolves to the same thing as before.
  private func noteChange(of name: AnyHashable, from before: [Tag], to after: [Tag]) {
    let isSame =
      before.count == after.count
      && zip(before, after).allSatisfy { $0.isSource == $1.isSource && self.isSame($0.thing, $1.thing) }
    if !isSame { observed[name]?.didChange() }
  }

  private func noteRead(of name: AnyHashable) {
    guard ObservationSource.isTracking else { return }
    let source = observed[name] ?? ObservationSource()
    observed[name] = source
    source.access()
  }
}

/// A second source of a name.
public struct NamespaceWarning<Thing> {
  /// The name.
  public let name: AnyHashable
  /// The source that the name keeps.
  public let first: Thing
  /// The source that was added.
  public let second: Thing
}

/// The numbers of namespaces.
private enum NamespaceNumber {
  private static let last = Atomic(0)

  static func next() -> Int { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
