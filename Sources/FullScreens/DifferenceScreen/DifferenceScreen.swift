internal import Comparison
internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Session

/// A full screen for what distinguishes two stores: a row for each object, with the old and the new values of what differs.
///
/// The values are read a window at a time.
final class DifferenceScreen: TableScreen {
  private(set) var list: DifferenceList
  private(set) var arrangement: DifferenceArrangement
  private var indices: [Int] = []
  private var sections: [(id: Value, count: Int)] = []
  /// The differences that were shown last, by their indices.
  private var read: [Int: ObjectDifference] = [:]
  let text: DifferenceText
  private static let object = "object"

  init(_ session: Session, _ list: DifferenceList, _ context: ObjectContext, _ terminal: any ScreenTerminal) {
    self.list = list
    arrangement = DifferenceArrangement(grouping: list.comparison.entities.count > 1 ? .entity : .nothing)
    text = DifferenceText(arrow: session.parts.console.layout.charset.arrow)
    super.init(session, context, terminal)
    arrange { _ in }
  }

  /// Whether the stores are equal.
  var isEmpty: Bool { list.count == 0 && list.comparison.models.changes.isEmpty }

  /// `difference: 1 inserted, 2 updated`
  var summary: String {
    var numbers: [ObjectDifference.Kind: Int] = [:]
    for entry in list.entries { numbers[entry.kind, default: 0] += 1 }
    let parts = ObjectDifference.Kind.allCases.compactMap { kind in
      numbers[kind].map { "\(Quantity.grouped($0)) \(kind.rawValue)" }
    }
    return "difference: " + (parts.isEmpty ? "no objects" : parts.joined(separator: ", "))
  }

  // MARK: As a table

  /// The names of the properties that are shown.
  private var properties: [String] { list.properties.filter { !place.hidden.contains($0) } }

  override var columns: [TabularColumn] {
    (place.hidden.contains(Self.object) ? [] : [TabularColumn(Self.object, role: .key)])
      + properties.map { TabularColumn($0) }
  }

  /// What the column on which keys act is sorted by; nil without columns.
  var selectedKey: DifferenceArrangement.Key? {
    guard columns.indices.contains(place.column) else { return nil }
    let name = columns[place.column].name
    return name == Self.object ? .identity : .property(name)
  }

  override func isAscending(at place: Int) -> Bool? {
    guard let order = arrangement.order else { return nil }
    let name = if case .property(let name) = order.key { name } else { Self.object }
    return columns[place].name == name ? order.isAscending : nil
  }

  override var rowCount: Int { indices.count }
  override var sectionCount: Int { sections.count }
  override func section(at index: Int) -> (id: Value, count: Int) { sections[index] }
  override var sectionHint: String { "there are no sections; S makes them by entity or by kind" }

  override func rows(_ rows: [Int]) -> [TableRow] {
    readDifferences(rows.map { indices[$0] })
    return rows.map { row in
      let entry = list.entries[indices[row]]
      guard let difference = read[indices[row]] else {
        // It has changed since; R compares again.
        return TableRow(
          index: row, cells: columns.map { _ in CellText(.text("?"), charset) }, mark: RowMark(entry.kind))
      }
      return TableRow(index: row, cells: cells(of: difference), mark: RowMark(entry.kind))
    }
  }

  private func readDifferences(_ wanted: [Int]) {
    let missing = wanted.filter { read[$0] == nil }
    guard !missing.isEmpty else { return }
    attempt {
      let found = try list.differences(at: missing)
      read = read.filter { wanted.contains($0.key) }.merging(found) { $1 }
    }
  }

  private func cells(of difference: ObjectDifference) -> [CellText] {
    let isAlone = list.comparison.entities.count == 1 || arrangement.grouping == .entity
    let identity = text.identity(of: difference)
    let name = CellText(.text(isAlone ? identity : "\(difference.entity) \(identity)"), charset)
    let values = properties.map { name in
      difference.properties.first { $0.name == name }.map { cell($0, difference.kind) } ?? CellText(.text(""), charset)
    }
    return (place.hidden.contains(Self.object) ? [] : [name]) + values
  }

  /// `5.3 → 6`, or the only value there is.
  private func cell(_ property: PropertyDifference, _ kind: ObjectDifference.Kind) -> CellText {
    var cell: CellText
    switch kind {
    case .inserted: cell = CellText(Cell(property.new), charset)
    case .deleted: cell = CellText(Cell(property.old), charset)
    default: cell = CellText(.text(words(property)), charset)
    }
    cell.role = RowMark(kind).role
    return cell
  }

  /// The old and the new value, or what distinguishes the members of a to-many relationship.
  func words(_ property: PropertyDifference) -> String {
    if let members = text.members(property) { return members }
    func word(_ value: ComparedValue) -> String {
      let text = CellText(Cell(value), charset, isWhole: true).text
      return text.isEmpty ? "\"\"" : text
    }
    return "\(word(property.old)) \(charset.arrow) \(word(property.new))"
  }

  override var title: (rows: String, parts: [String]) {
    let models = list.comparison.models.changes.count
    let order = arrangement.order.map { order in
      let name = if case .property(let name) = order.key { name } else { Self.object }
      return "sorted by \(order.isAscending ? "" : "-")\(name)"
    }
    let parts = arrangement.conditions.map(\.wording) + [order].compactMap(\.self)
    let changes = models == 0 ? [] : ["\(Quantity.count(models, "difference")) of the models"]
    return (Quantity.count(indices.count, "difference"), changes + parts)
  }

  override var emptyText: String {
    if list.count > 0 { return "no difference with this" }
    return isEmpty ? "the stores are equal" : "the objects are equal; m shows what distinguishes the models"
  }

  override var footer: String { mainKeys }
  override var keys: Keys { Self.allKeys }
  override func obeyOwn(_ key: Key) -> Bool { obeyHere(key) }
  override func type(_ key: Key) -> Bool { typeHere(key) }
  override func sort() { sortByColumn() }

  // MARK: Pages

  /// Whether the page in front is about the models, and not about the selected row.
  var isAboutModels = false

  override var card: ScreenFrame? {
    if isAboutModels {
      let lines = text.lines(of: list.comparison.models).map { line($0) }
      return page(lines.isEmpty ? [line("the models are equal", .note)] : lines, "Esc back", scrolls: true)
    }
    guard let row = selectedRow, let (difference, whole) = wholeDifference(row) else { return nil }
    return page(cardLines(difference, whole), "Esc back  Up, Down other differences", scrolls: true)
  }

  /// The difference of a row, and the same with the values that are equal; nil after a remark.
  private func wholeDifference(_ row: Int) -> (ObjectDifference, whole: ObjectDifference)? {
    let index = indices[row]
    var found: (ObjectDifference, ObjectDifference)?
    attempt {
      guard let difference = try list.differences(at: [index])[index],
        let whole = try list.differences(at: [index], isWhole: true)[index]
      else { return remark = ("it has changed since; R compares again", .note) }
      found = (difference, whole)
    }
    return found
  }

  private func cardLines(_ difference: ObjectDifference, _ whole: ObjectDifference) -> [ScreenLine] {
    // What cannot be compared has its reason on its line.
    if !difference.isComparable { return [line(text.line(of: difference))] }
    let changed = Set(difference.properties.map(\.name))
    let title = "\(difference.entity) \(text.identity(of: difference)) \(charset.dot) \(difference.kind.rawValue)"
    return styledLines { options, sink in
      let card = CardWriter(columns: whole.properties.map { TabularColumn($0.name) }, rowName: nil, options: options)
      let row = whole.properties.map { property in
        difference.kind == .updated && changed.contains(property.name)
          ? Cell.text(words(property)) : Cell(difference.kind == .deleted ? property.old : property.new)
      }
      card.write(row, title: title, to: sink)
    }
  }

  // MARK: Arranging

  /// Changes which differences are shown; where they cannot be read, all stays as it was. Returns whether it could.
  @discardableResult
  func arrange(_ change: (inout DifferenceArrangement) -> Void) -> Bool {
    var next = arrangement
    change(&next)
    return attempt {
      let found = try next.rows(of: list)
      (arrangement, indices, sections) = (next, found.indices, found.sections)
      layOutLines()
      select(0)
    }
  }

  /// Compares the stores again.
  func compareAgain() {
    attempt {
      list = try DifferenceList(list.comparison)
      read = [:]
      if arrange({ _ in }) { remark = ("compared again: \(Quantity.count(list.count, "difference"))", .note) }
    }
  }

  @discardableResult
  private func attempt(_ body: () throws -> Void) -> Bool {
    do {
      try engine.asking(body)
      return true
    } catch {
      let isStopped = engine.lua.interruption == .interrupted
      if isStopped { engine.lua.clearInterrupt() }
      remark = isStopped ? ("stopped", .warning) : (engine.report(error).message, .error)
      return false
    }
  }
}

extension RowMark {
  /// The sign before an object of a kind of difference.
  init(_ kind: ObjectDifference.Kind) {
    switch kind {
    case .inserted: self = .inserted
    case .deleted: self = .deleted
    case .updated: self = .updated
    case .duplicated, .unidentified: self = .uncompared
    }
  }
}
