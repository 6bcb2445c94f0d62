internal import Modeling
internal import Queries
internal import Stores

/// The live results of a context by the ranges of values that their conditions ask for, so that a commit is shown to those
/// that it can concern: with a thousand results of ranges, to few.
///
/// A row concerns a result if it was in its range before the commits of a round, or is now. Therefore:
///
/// - A result takes part from the end of its first round on, when its rows are those that match. While something else
///   changes them (unsaved changes, a window, an error), it is not asked whether it takes part.
/// - A round is judged only if the former and the present value of each touched row are certain.
final class ConditionIndex {
  /// The number of results from which an index pays.
  static let fewestResults = 32

  private var groups: [Group] = []
  private var roundNumber = 0
  /// The results that the last judged round concerns, of groups for which that is certain.
  private(set) var concerned: [ObjectIdentifier] = []

  // Entries and their group know each other.
  deinit { for group in groups { group.clear() } }

  /// Whether there is nothing to judge.
  var isEmpty: Bool { groups.isEmpty }

  /// Begins a round: finds out which entries the touched rows concern.
  func judge(_ round: RoundChanges, in store: any ObjectStore) {
    roundNumber += 1
    concerned = []
    guard let rows = round.rows else { return }
    for group in groups where group.isEmpty { group.clear() }
    groups.removeAll(where: \.isEmpty)
    for group in groups { group.judge(rows, round, store, roundNumber, &concerned) }
  }

  /// Whether `concerned` lists all results that the round concerns.
  var isCertain: Bool { groups.allSatisfy { $0.judgedIn == roundNumber } }

  /// The entities whose results take part.
  var entities: some Sequence<Entity> { groups.lazy.map(\.entity) }

  /// Whether it is certain that what the round is about does not concern an entry.
  func isUnconcerned(_ entry: Entry) -> Bool { entry.group.judgedIn == roundNumber && entry.namedIn != roundNumber }

  /// Adds a result of an entity for one of the ranges in which its rows are; nil if none serves.
  func add(
    _ results: ObjectIdentifier, _ ranges: [ValueRange], of entity: Entity, table: String, in store: any ObjectStore
  ) -> Entry? {
    let usable = ranges.filter { $0.isUsable(in: entity) }
    guard let range = usable.first(where: { $0.lower != nil && $0.upper != nil }) ?? usable.first,
      let group = group(range.attribute, entity, table, store)
    else { return nil }
    return group.add(results, range)
  }

  private func group(_ attribute: Int, _ entity: Entity, _ table: String, _ store: any ObjectStore) -> Group? {
    if let known = groups.first(where: { $0.entity === entity && $0.attribute == attribute }) { return known }
    let layout = store.layout(of: entity)
    guard let column = layout.plainColumn(of: attribute) else { return nil }
    let new = Group(entity, table, attribute, column: layout.columns[column].name.lowercased())
    groups.append(new)
    return new
  }
}

extension ConditionIndex {
  /// A bound, or a value that is compared with bounds; those of one attribute are of one kind.
  fileprivate enum RangeEnd: Comparable {
    case number(Double)
    case text(String)

    /// The bound of a value; nil for null and for values of other kinds.
    init?(_ value: Value) {
      switch value {
      case .int(let number): self = .number(Double(number))
      case .double(let number): self = .number(number)
      case .date(let date): self = .number(date.seconds)
      case .string(let text): self = .text(text)
      default: return nil
      }
    }

    static func < (left: RangeEnd, right: RangeEnd) -> Bool {
      switch (left, right) {
      case (.number(let left), .number(let right)): left < right
      case (.text(let left), .text(let right)): compareBytes(left, right) < 0
      case (.number, .text): true
      case (.text, .number): false
      }
    }
  }

  /// The range of one result.
  final class Entry {
    fileprivate let results: ObjectIdentifier
    fileprivate let group: Group
    fileprivate let low, high: RangeEnd?
    /// The last round in which a touched row was in the range.
    fileprivate var namedIn = 0
    fileprivate var isRemoved = false

    fileprivate init(_ results: ObjectIdentifier, _ range: ValueRange, in group: Group) {
      self.results = results
      self.group = group
      low = range.lower.flatMap { RangeEnd($0) }
      high = range.upper.flatMap { RangeEnd($0) }
    }

    /// Takes the entry out of the index.
    func remove() {
      isRemoved = true
      group.isSorted = false
    }
  }

  /// The ranges of one attribute, in the order of their lower bounds.
  fileprivate final class Group {
    let entity: Entity
    let attribute: Int
    private let table, column: String
    private var entries: [Entry] = []
    /// For each entry the highest upper bound up to it; nil where one has none.
    private var highest: [RangeEnd?] = []
    var isSorted = true
    /// The last round that was judged.
    private(set) var judgedIn = 0

    init(_ entity: Entity, _ table: String, _ attribute: Int, column: String) {
      self.entity = entity
      self.table = table
      self.attribute = attribute
      self.column = column
    }

    var isEmpty: Bool { entries.allSatisfy(\.isRemoved) }

    func add(_ results: ObjectIdentifier, _ range: ValueRange) -> Entry {
      let entry = Entry(results, range, in: self)
      entries.append(entry)
      isSorted = false
      return entry
    }

    func clear() { (entries, highest, isSorted) = ([], [], true) }

    private func sort() {
      entries.removeAll(where: \.isRemoved)
      entries.sort { left, right in
        guard let low = right.low else { return false }
        return left.low.map { $0 < low } ?? true
      }
      highest = []
      for entry in entries {
        // Nil is above all.
        guard let last = highest.last else { highest.append(entry.high); continue }
        highest.append(last.flatMap { last in entry.high.map { max(last, $0) } })
      }
      isSorted = true
    }

    func judge(
      _ shared: SharedRows, _ round: RoundChanges, _ store: any ObjectStore, _ roundNumber: Int,
      _ concerned: inout [ObjectIdentifier]
    ) {
      guard let rows = try? shared.rows(of: entity, table: table) else { return }
      if !isSorted { sort() }
      if let touched = round.touched.tables[table], !rows.keys.isEmpty {
        // The values of deleted rows are not known.
        guard touched.deleted.isEmpty else { return }
        let changes = touched.updatedColumns.map { $0.contains(column) } ?? true
        // Nor is it of other connections' commits, in which a row that was inserted may have replaced another.
        if round.touched.isForeign, changes || !touched.inserted.isEmpty { return }
        let values = changes ? round.commits.values(of: entity, in: store) : nil
        for (index, key) in rows.keys.enumerated() {
          guard let row = rows.rows[index], let present = try? row.attribute(at: attribute),
            name(present, roundNumber, &concerned)
          else { return }
          guard let values, !touched.inserted.contains(key) else { continue }
          switch values.former(attribute, of: key, entity: entity) {
          case .same: break
          case .value(let former): if !name(former, roundNumber, &concerned) { return }
          case .unknown: return
          }
        }
      }
      judgedIn = roundNumber
    }

    /// Marks the entries whose range a value is in and lists their results; false if the value is of another kind.
    private func name(_ value: Value, _ roundNumber: Int, _ concerned: inout [ObjectIdentifier]) -> Bool {
      if value.isNull { return true }
      guard let bound = RangeEnd(value) else { return false }
      var place = entries.countBelow { $0.low.map { $0 <= bound } ?? true }
      while place > 0, highest[place - 1].map({ $0 >= bound }) ?? true {
        place -= 1
        let entry = entries[place]
        guard entry.namedIn != roundNumber, entry.high.map({ $0 >= bound }) ?? true else { continue }
        entry.namedIn = roundNumber
        concerned.append(entry.results)
      }
      return true
    }
  }
}

extension ValueRange {
  /// Whether the bounds are of the kind of an entity's values.
  fileprivate func isUsable(in entity: Entity) -> Bool {
    guard let type = entity.properties[attribute].attribute?.type else { return false }
    return [lower, upper].allSatisfy { bound in
      switch (bound, type) {
      case (nil, _): true
      case (.double, .integer16), (.double, .integer32), (.double, .integer64), (.double, .double), (.double, .float):
        true
      case (.date, .date), (.string, .string): true
      default: false
      }
    }
  }
}
