public import Modeling
public import Stores

/// The report on an examined store: lines for people, JSON for programs.
public struct DoctorReport {
  private let diagnosis: StoreDiagnosis
  /// The greatest number of entities, problems and columns in the report for people.
  private static let limit = 5

  /// Creates a report on `diagnosis`.
  public init(_ diagnosis: StoreDiagnosis) { self.diagnosis = diagnosis }

  /// The exit status of an examination: 0 for a sound store, 1 for one with problems, and the error's status if it
  /// cannot be opened.
  public var exitStatus: Int32 {
    diagnosis.failure.map { ErrorReport.report($0).exitStatus } ?? (diagnosis.isHealthy ? 0 : 1)
  }

  private var failure: String? { diagnosis.failure.map { ErrorReport.report($0).message } }
  private var hasTables: Bool { diagnosis.kind != nil || !diagnosis.sizes.isEmpty }

  /// The lines of the report, each with its subject; a line without a subject continues the previous one.
  public var lines: [(subject: String, text: String)] {
    var lines: [(subject: String, text: String)] = [("store", fileText)]
    func add(_ subject: String, _ texts: [String]) {
      for (index, text) in texts.enumerated() { lines.append((index == 0 ? subject : "", text)) }
    }
    if let failure { add("cannot open", [failure]) }
    if let kind = diagnosis.kind { add("made by", [madeBy(kind)]) }
    add("log", logTexts)
    add("open in", diagnosis.holders)
    if hasTables { add("sound", soundTexts) }
    add("entities", Self.cut(entityTexts))
    if diagnosis.kind == nil { add("tables", Self.cut(tableTexts, to: 8)) }
    add("biggest", diagnosis.sizes.filter { $0.bytes != nil }.prefix(3).map(Self.bigText))
    add("large data", Self.cut(diagnosis.largeValues.map(Self.largeText), to: 3))
    add("unused", unusedTexts)
    let unindexed = diagnosis.unindexed
    let slow = "the inverse reads all rows, as no index begins with it"
    add("no index", Self.cut(unindexed.map { unindexed.count == 1 ? "\($0): \(slow)" : $0 }, to: 3, "; \(slow)"))
    if diagnosis.kind != nil { add("writing", writingTexts) }
    add("notes", Self.cut(diagnosis.notes, to: 3))
    return lines
  }

  /// The first of the texts, and the number of the others; `remark` follows once, for all of them.
  private static func cut(_ texts: [String], to limit: Int = limit, _ remark: String = "") -> [String] {
    var kept =
      texts.count > limit ? texts.prefix(limit - 1) + ["and \(Quantity.grouped(texts.count - limit + 1)) more"] : texts
    if kept.count > 1 { kept[kept.count - 1] += remark }
    return kept
  }

  private var fileText: String {
    var text = diagnosis.path.withoutPassword
    if diagnosis.isEmptyFile { text += ", an empty file" }
    if diagnosis.size > 0 { text += ", \(Quantity.bytes(Int(diagnosis.size)))" }
    if diagnosis.pageSize > 0 { text += " in pages of \(Quantity.grouped(diagnosis.pageSize)) bytes" }
    if let encoding = diagnosis.encoding { text += ", \(encoding)" }
    let promised = Int64(diagnosis.pageCount) * Int64(diagnosis.pageSize)
    if diagnosis.failure != nil, promised > diagnosis.size {
      text += "; its header promises \(Quantity.count(diagnosis.pageCount, "page")), \(Quantity.bytes(Int(promised)))"
    }
    return text
  }

  private func madeBy(_ kind: StoreKind) -> String {
    var text: String
    switch kind {
    case .perilune: text = "Perilune" + (diagnosis.formatVersion.map { ", format \($0)" } ?? "")
    case .sqlite: text = "some program: a plain SQLite file"
    case .postgres: text = "other programs"
    case .coreData:
      // SwiftData always keeps a history.
      text = diagnosis.hasHistoryTables ? "Core Data or SwiftData" : "Core Data"
      text += diagnosis.frameworkVersion.map { ", framework version \($0)" } ?? ", which does not say its version"
    }
    if let server = diagnosis.server { text += ", in \(server)" }
    if let version = diagnosis.modelVersion { text += "; model version \(version)" }
    if let uuid = diagnosis.uuid, !uuid.isEmpty { text += "; UUID \(uuid)" }
    return text
  }

  private var logTexts: [String] {
    var texts: [String] = []
    if let log = diagnosis.log {
      var text =
        "\(Quantity.count(log.frames, "page")) in the write-ahead log, \(Quantity.grouped(log.committed)) committed, "
      text += log.pending == 0 ? "all of it in the file" : "\(Quantity.grouped(log.pending)) not yet in the file"
      let lost = log.frames - log.committed
      if lost > 0 { text += "; \(Quantity.grouped(lost)) older, unfinished or damaged, which are not read" }
      if log.frames == 0 { text = "a write-ahead log of \(Quantity.bytes(Int(log.size))) without a whole page" }
      texts.append(text)
    } else if diagnosis.keepsLog, diagnosis.failure == nil {
      texts.append(
        diagnosis.hasLogFile
          ? "a write-ahead log, which is empty: all is in the file"
          : "no write-ahead log beside it: all is in the file, unless a log was left behind when it was copied")
    } else if diagnosis.kind != nil, diagnosis.size > 0, diagnosis.server == nil {
      texts.append("none: changes are written to the file itself")
    }
    if let pages = diagnosis.journalPages {
      texts.append("a journal with \(Quantity.count(pages, "page")) of a change that was cut off, or is under way")
    }
    return texts
  }

  private var soundTexts: [String] {
    let unread = diagnosis.unread.map { "unknown as to \($0.part.sentence): \(ErrorReport.report($0.error).message)" }
    if diagnosis.problems.isEmpty {
      if !unread.isEmpty { return Self.cut(unread) }
      return [diagnosis.failure == nil ? "nothing wrong with what was read" : "nothing wrong with pages and tables"]
    }
    let head = "no: \(Quantity.count(diagnosis.problems.count, "problem")); .verify tells all"
    return [head] + Self.cut(diagnosis.problems.map(\.sentence)) + Self.cut(unread)
  }

  private var entityTexts: [String] {
    diagnosis.sizes.filter { !$0.entities.isEmpty }.map { size in
      var names = size.entities
      if names.count > 4 { names = names.prefix(3) + ["\(Quantity.grouped(names.count - 3)) more"] }
      return "\(names.joined(separator: ", ")): \(Self.rowsText(size)), \(Self.bytesText(size))"
    }
  }

  /// The tables of a file that cannot be opened as a store, the unreadable ones first.
  private var tableTexts: [String] {
    let tables = diagnosis.sizes.filter { !$0.isIndex }
    return (tables.filter { $0.rows == nil } + tables.filter { $0.rows != nil }).map {
      "\($0.name): \(Self.rowsText($0))"
    }
  }

  private static func rowsText(_ size: StoredSize) -> String {
    size.rows.map { Quantity.count(Int($0), "row") } ?? "rows that cannot be counted"
  }

  private static func bytesText(_ size: StoredSize) -> String {
    guard let bytes = size.bytes else { return "size not known" }
    return (size.isEstimate ? "some " : "") + Quantity.bytes(Int(bytes)) + (size.isEstimate ? ", estimated" : "")
  }

  private static func bigText(_ size: StoredSize) -> String {
    let what = size.isIndex ? "index \(size.name) of \(size.table)" : "table \(size.name)"
    return "\(what), \(bytesText(size))"
  }

  private static func largeText(_ values: LargeValues) -> String {
    let place = "\(values.table).\(values.column)"
    let limit = Quantity.bytes(LargeValues.limit)
    return
      "\(place): \(Quantity.count(Int(values.count), "value")) above \(limit), \(Quantity.bytes(Int(values.bytes))) within the rows"
  }

  private var unusedTexts: [String] {
    let bytes = Int(diagnosis.freePages) * diagnosis.pageSize
    return bytes == 0
      ? [] : ["\(Quantity.bytes(bytes)) in \(Quantity.count(Int(diagnosis.freePages), "page")); VACUUM gives them back"]
  }

  private var writingTexts: [String] {
    if let obstacle = diagnosis.obstacle { return ["not possible: \(obstacle.sentence)"] }
    if let obstacle = diagnosis.fileObstacle { return ["not possible: \(obstacle)"] }
    var texts = [diagnosis.isWrittenOnRequest ? "possible with --write" : "possible"]
    let isDamaged = !diagnosis.problems.isEmpty || diagnosis.unread.contains { $0.error.fact != .interrupted }
    if isDamaged {
      texts = ["not wise: the file is not sound"]
    } else if !diagnosis.unread.isEmpty {
      texts = ["not known: the examination was cut short"]
    }
    texts += Self.cut(diagnosis.entityObstacles.map { "not all of it: \($0.sentence)" }, to: 3)
    if !diagnosis.holders.isEmpty, diagnosis.server == nil { texts.append("not wise while others have it open") }
    if !diagnosis.foreignTriggers.isEmpty {
      let names = Self.cut(diagnosis.foreignTriggers.map { $0 }, to: 3)
      texts.append("triggers made by others run along: \(names.joined(separator: ", "))")
    }
    if !diagnosis.virtualTables.isEmpty {
      let names = Self.cut(diagnosis.virtualTables, to: 3)
      texts.append("saves cannot be undone: triggers write \(names.joined(separator: ", ")), a virtual table")
    }
    return texts
  }

  /// The report for programs.
  public var json: JSON {
    func text(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }
    func number(_ number: Int64?) -> JSON { number.map(JSON.int) ?? .null }
    func list(_ texts: [String]) -> JSON { .array(texts.map(JSON.string)) }
    var fields: [String: JSON] = [
      "path": .string(diagnosis.path.withoutPassword), "healthy": .bool(diagnosis.isHealthy), "failure": text(failure),
      "kind": text(diagnosis.kind?.rawValue), "server": text(diagnosis.server), "bytes": .int(diagnosis.size),
      "pageSize": .int(Int64(diagnosis.pageSize)),
      "freePages": .int(diagnosis.freePages), "encoding": text(diagnosis.encoding),
      "keepsLog": .bool(diagnosis.keepsLog), "journalPages": number(diagnosis.journalPages.map(Int64.init)),
      "openIn": list(diagnosis.holders), "uuid": text(diagnosis.uuid),
      "frameworkVersion": number(diagnosis.frameworkVersion.map(Int64.init)),
      "formatVersion": number(diagnosis.formatVersion.map(Int64.init)), "modelVersion": text(diagnosis.modelVersion),
      "writeObstacles": list(
        (diagnosis.obstacle.map { [$0] } ?? []).map(\.sentence) + (diagnosis.fileObstacle.map { [$0] } ?? [])
          + diagnosis.entityObstacles.map(\.sentence)),
      "virtualTables": list(diagnosis.virtualTables),
      "triggersOfOthers": list(diagnosis.foreignTriggers), "unindexed": list(diagnosis.unindexed),
      "notes": list(diagnosis.notes), "log": .null,
    ]
    if let log = diagnosis.log {
      fields["log"] = .object([
        "bytes": .int(log.size), "pages": .int(Int64(log.frames)), "committed": .int(Int64(log.committed)),
        "pending": .int(Int64(log.pending)),
      ])
    }
    fields["unread"] = .array(
      diagnosis.unread.map {
        .object(["part": .string($0.part.rawValue), "reason": .string(ErrorReport.report($0.error).message)])
      })
    fields["problems"] = .array(
      diagnosis.problems.map { problem in
        .object([
          "rule": .string(problem.rule.rawValue), "table": .string(problem.table), "key": number(problem.key),
          "text": .string(problem.sentence),
        ])
      })
    fields["sizes"] = .array(
      diagnosis.sizes.map { size in
        .object([
          "name": .string(size.name), "table": .string(size.table), "entities": list(size.entities),
          "rows": number(size.rows), "bytes": number(size.bytes), "isIndex": .bool(size.isIndex),
          "isEstimate": .bool(size.isEstimate),
        ])
      })
    fields["largeValues"] = .array(
      diagnosis.largeValues.map { values in
        .object([
          "table": .string(values.table), "column": .string(values.column), "count": .int(values.count),
          "bytes": .int(values.bytes),
        ])
      })
    return .object(fields)
  }
}

extension StoreDiagnosis.Part {
  /// A name of the examined part.
  fileprivate var sentence: String {
    switch self {
    case .bookkeeping: "what the store says of itself"
    case .sizes: "tables and their sizes"
    case .values: "large data"
    case .indexes: "indexes"
    case .triggers: "triggers"
    case .rules: "pages, keys and the rules of rows"
    }
  }
}
