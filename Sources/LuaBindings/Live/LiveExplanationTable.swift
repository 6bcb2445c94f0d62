internal import LiveQueries
internal import LuaRuntime
internal import Modeling
internal import Stores

/// The explanation of live results as a table that prints as text.
enum LiveExplanationTable {
  static func answer(_ explanation: LiveExplanation, rows: String) -> ReturnValue {
    .printed(.record(fields(explanation)), kind: "LiveExplanation", text: text(of: explanation, rows: rows))
  }

  private static func fields(_ explanation: LiveExplanation) -> [(name: String, value: ReturnValue)] {
    let ordered = explanation.orderedExpressions
    return [
      ("method", .text(explanation.method == .maintained ? "maintained" : "refetched")),
      ("count", .integer(explanation.count)), ("heldCount", .integer(explanation.heldCount)),
      ("byteCount", .integer(explanation.byteCount)), ("sectionCount", .integer(explanation.sectionCount)),
      ("sectionFunction", .text(explanation.sectionFunction?.name)),
      ("sectionCalls", .integer(explanation.sectionFunction?.callCount)),
      ("groupedRowCount", .integer(explanation.groupedRowCount)), ("lastRows", .integer(explanation.lastLook?.rows)),
      ("lastGroups", .integer(explanation.lastLook?.groups)),
      ("ordered", ordered.isEmpty ? .luaNil : .list(ordered.map { .text($0) })),
      ("obstacle", .text(explanation.groupObstacle.map(text))), ("isHead", .boolean(explanation.isHead)),
      ("tables", .list(explanation.tables.map { .text($0) })),
      ("changeSource", .text(explanation.changeSource.map(name))),
      ("paths", .list(explanation.paths.map { .text(text(of: $0)) })),
      ("scans", .boolean(explanation.paths.contains { $0.steps.contains(where: \.scans) })),
      ("reloads", .integer(explanation.reloads)), ("lastReload", .text(explanation.lastReload.map(text))),
    ]
  }

  /// The number of rows from which a limit is advised.
  private static let manyRows = 1_000_000

  /// One sentence per line.
  private static func text(of explanation: LiveExplanation, rows: String) -> String {
    var lines: [String] = []
    switch explanation.method {
    case .maintained where explanation.groupedRowCount != nil:
      lines.append("maintained: the rows that a change may affect leave their groups and join others")
    case .maintained: lines.append("maintained: the rows that a change may affect are looked at, and moved")
    case .refetched: lines.append("fetched again and compared whenever a table that it reads is written")
    }
    if let obstacle = explanation.groupObstacle { lines.append("because \(text(of: obstacle))") }
    var held = Quantity.count(explanation.count, rows)
    if explanation.heldCount > explanation.count { held += " shown, \(Quantity.grouped(explanation.heldCount)) held" }
    if let sections = explanation.sectionCount { held += " in \(Quantity.count(sections, "section"))" }
    if let count = explanation.groupedRowCount { held += " of \(Quantity.count(count, "object"))" }
    if explanation.byteCount > 0 { held += ", \(Quantity.fineBytes(explanation.byteCount))" }
    lines.append(explanation.isHead ? "\(held); what follows is left in the store" : held)
    if explanation.method == .maintained, explanation.groupedRowCount == nil, !explanation.isHead,
      explanation.count >= Self.manyRows
    {
      lines.append("smaller: a limit, which keeps a window of the order and leaves the rest in the store")
    }
    if !explanation.orderedExpressions.isEmpty {
      let names = ErrorReport.list(explanation.orderedExpressions)
      lines.append(
        "keeps the values of \(names) in order: if a group loses its least or greatest, the next is looked up")
    }
    if let function = explanation.sectionFunction {
      lines.append(
        "sections by \(function.name), made in memory: asked \(Quantity.count(function.callCount, "time")), of each object and "
          + "again of those that change")
      lines.append(
        "faster: an attribute that the store keeps, as Derived { type = String, \"day(time)\" }, or an expression, as "
          + "\"day(time)\"")
    }
    if let look = explanation.lastLook, look.rows > 0 {
      lines.append(
        "the last change: \(Quantity.count(look.rows, "object")) and \(Quantity.count(look.groups, "group")) looked at")
    }
    if !explanation.tables.isEmpty { lines.append("reads \(ErrorReport.list(explanation.tables))") }
    if let source = explanation.changeSource { lines.append(text(of: source)) }
    lines += explanation.paths.map { "follows \(text(of: $0))" }
    if explanation.reloads > 0 {
      let reason = explanation.lastReload.map { ", the last time because \(text(of: $0))" } ?? ""
      lines.append("fetched again \(Quantity.count(explanation.reloads, "time"))\(reason)")
    }
    return lines.joined(separator: "\n")
  }

  /// `quake.place: from Quake by the reference`
  private static func text(of path: Dependencies.FollowedPath) -> String {
    let steps = path.steps.map { step -> String in
      let way =
        switch step.kind {
        case .reference: "the reference"
        case .inverse: "the reference of \(step.destination.name)"
        case .pairs(let table): "the table \(table)"
        }
      return "\(step.relationship) by \(way)\(step.scans ? " (a scan: no index leads back)" : "")"
    }
    return "\(path.path.text): \(steps.joined(separator: ", "))"
  }

  private static func name(of source: ChangeSource) -> String {
    switch source {
    case .historyAndNotifications: "history and notifications"
    case .historyAndPolling: "history and polling"
    case .polling: "polling"
    }
  }

  private static func text(of source: ChangeSource) -> String {
    switch source {
    case .historyAndNotifications: "others' commits: rows from the history, at a notification"
    case .historyAndPolling(let seconds):
      "others' commits: rows from the history, looked at every \(Quantity.duration(seconds))"
    case .polling(let seconds):
      "others' commits: fetched again when the server, asked every \(Quantity.duration(seconds)), reports a write"
    }
  }

  private static func text(of obstacle: LiveExplanation.GroupObstacle) -> String {
    switch obstacle {
    case .aggregate(let function): "\(function) cannot be told from the objects that changed"
    case .collation(let path, let name):
      "only the store can tell which texts of \(path) are equal, by its collation \(name)"
    case .computedTable(let table): "\(table) is not a plain table, so its changes are not reported"
    case .distinctGroups: "several groups may show equal rows"
    case .expression: "an expression over groups can only be computed in the store"
    case .timeDependent: "the time decides, which no change reports"
    }
  }

  private static func text(of reload: LiveExplanation.Reload) -> String {
    switch reload {
    case .failure: "it had failed before"
    case .transaction: "they were read within a transaction, which is over"
    case .childContext: "the context is a child"
    case .changes(.incomplete): "not all changes are known"
    case .changes(.unknownReferences(let table)): "the former references of \(table)'s rows are not known"
    case .changes(.unlikeColumns(let relationship)):
      "\(relationship) is stored in columns that compare differently from those they refer to"
    case .changes(.tooMany): "too much changed at once"
    case .changes(.computedTable(let table)): "\(table) is not a plain table, so its changes are not reported"
    }
  }
}
