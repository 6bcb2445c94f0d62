import Modeling
import SQLite

/// Describes a plan in the model's terms, one step per line.
///
///     finds Quake by index quake_status_time_index (status = ? AND time > ?)
///     sorts 82 rows in memory
struct PlanNarrator {
  let lines: [PlanLine]
  let roles: [String: AliasRole]
  let layout: (Entity) -> EntityLayout
  /// Returns the number of rows in a table, if known.
  var rowCount: (String) -> Int? = { _ in nil }
  /// The number of rows scanned, if the plan has one scan; otherwise nil.
  var rowsScanned: Int?
  /// The number of rows in the last sort, if known.
  var rowsSorted: Int?

  /// The sentences, with their depths.
  var words: [(depth: Int, text: String)] {
    lines.indices.compactMap { index in
      sentence(index).map { (depth(of: index), $0) }
    }
  }

  /// The depth of a line, without parents that are not described.
  private func depth(of index: Int) -> Int {
    var depth = 0
    var next = lines[index].parent
    while let parent = next {
      if case .branch = lines[parent].step {} else { depth += 1 }
      next = lines[parent].parent
    }
    return depth
  }

  private func sentence(_ index: Int) -> String? {
    switch lines[index].step {
    case .access(let access):
      let then = isInner(index) ? "then " : ""
      return then + (access.isSearch ? search(access) : scan(access, isRepeated: lines.isRepeated(index)))
    case .tree(let purpose): return sentence(purpose)
    case .union:
      let count = lines.children(of: index).count
      return "unites the rows of \(count == 2 ? "two" : "\(count)") look-ups:"
    case .branch: return nil
    case .subquery(isCorrelated: true, _): return correlated(index)
    case .subquery(_, isList: true): return "makes a list, once:"
    case .subquery: return "computes a value, once:"
    case .routine(_, isKept: true): return "keeps what an inner query gives in memory:"
    case .routine: return "goes through an inner query:"
    case .filter(let subject): return "keeps a filter of \(name(subject)) in memory"
    case .constantRows: return "goes through values that are written out"
    case .other(let text): return text
    }
  }

  /// Whether the step runs for each row of an earlier step.
  private func isInner(_ index: Int) -> Bool {
    lines.indices.contains { $0 < index && lines[$0].parent == lines[index].parent && lines.access(at: $0) != nil }
  }

  private func sentence(_ purpose: PlanStep.TreePurpose) -> String {
    let rows = rowsSorted.map { Quantity.count($0, "row") }
    switch purpose {
    case .order: return "sorts \(rows ?? "the rows") in memory"
    case .restOfOrder: return "sorts rows that are equal so far in memory"
    case .groups: return "gathers the groups in memory"
    case .distinct: return "remembers rows in memory, to leave out repetitions"
    case .other(let text): return "keeps rows in memory for \(text)"
    }
  }

  // MARK: Reading rows

  private func scan(_ access: PlanAccess, isRepeated: Bool) -> String {
    if access.path == .virtualTable { return "goes through \(name(access.subject))" }
    guard let role = roles[access.subject] else {
      return isInnerQuery(access.subject) ? "reads what it gives" : "reads all of \(access.subject)"
    }
    let what = role.isPairs ? name(access.subject) : role.entity.name
    var text = "reads all of \(what)"
    if let rows = rowCount(role.table) {
      let part = rowsScanned.flatMap { !isRepeated && $0 < rows ? $0 : nil }
      if let part { text = "reads \(what) until that is enough" + ": \(Quantity.grouped(part)) of " }
      text += part == nil ? " (\(Quantity.count(rows, "row")))" : Quantity.count(rows, "row")
    }
    switch access.path {
    case .index(let index, isCovering: false): return text + " in the order of index \(index)"
    case .index(let index, isCovering: true): return text + " in index \(index), which alone answers it"
    default: return text
    }
  }

  private func search(_ access: PlanAccess) -> String {
    let what = name(access.subject)
    let terms = access.terms.map { term($0, roles[access.subject]) }.joined(separator: " AND ")
    switch access.path {
    case .key:
      let isLookUp = access.terms.allSatisfy { $0.contains("=?") }
      if !isLookUp { return "finds \(what) by a range of keys" }
      return roles[access.subject]?.origin == nil ? "finds \(what) by key" : "looks up \(what) by key"
    case .index(let name, let isCovering):
      return "finds \(what) by index \(name) (\(terms))" + (isCovering ? ", which alone answers it" : "")
    case .automaticIndex: return "finds \(what) by an index that it makes for this request alone (\(terms))"
    case .virtualTable: return "searches \(what)"
    case .table: return "searches \(what)"
    }
  }

  /// `for each Quake, looks among its reports:`
  private func correlated(_ index: Int) -> String {
    let within = lines.indices.filter { isWithin($0, index) }
    let found = within.lazy.compactMap { line -> (AliasRole, String, Int)? in
      guard let access = lines.access(at: line), let role = roles[access.subject], let origin = role.origin,
        let relationship = origin.relationship,
        !within.contains(where: { lines.access(at: $0)?.subject == origin.alias })
      else { return nil }
      return (role, origin.alias, relationship)
    }.first
    guard let (_, owner, relationship) = found, let role = roles[owner] else { return "for each, asks an inner query:" }
    let property = role.entity.properties[relationship].name
    let ownerName = role.origin == nil ? role.entity.name : name(owner)
    return "for each \(ownerName), looks at its \(property):"
  }

  private func isWithin(_ line: Int, _ ancestor: Int) -> Bool {
    var next = lines[line].parent
    while let parent = next {
      if parent == ancestor { return true }
      next = lines[parent].parent
    }
    return false
  }

  // MARK: Names

  private func isInnerQuery(_ subject: String) -> Bool {
    if subject.hasPrefix("(") || subject.hasPrefix("SUBQUERY") { return true }
    return lines.contains { if case .routine(subject, _) = $0.step { true } else { false } }
  }

  /// The name of an alias's rows: the entity, or the path of relationships that leads to them.
  private func name(_ subject: String) -> String {
    guard let role = roles[subject] else { return isInnerQuery(subject) ? "an inner query" : subject }
    let path = self.path(role)
    if path.isEmpty { return role.entity.name }
    return (role.isPairs ? "the pairs of " : "") + path.joined(separator: ".")
  }

  private func path(_ role: AliasRole) -> [String] {
    var path: [String] = []
    var next: AliasRole? = role
    while let current = next, let origin = current.origin, let owner = roles[origin.alias], path.count < 100 {
      if let relationship = origin.relationship { path.insert(owner.entity.properties[relationship].name, at: 0) }
      next = owner
    }
    return path
  }

  /// `time>?` with the property's name and with spaces.
  private func term(_ term: String, _ role: AliasRole?) -> String {
    guard let sign = term.firstIndex(where: { "=<>".contains($0) }), !term.hasPrefix("("), !term.hasPrefix("<expr>")
    else { return term }
    let column = String(term[..<sign])
    return "\(property(column, role) ?? column) \(term[sign...].prefix { "=<>".contains($0) }) ?"
  }

  /// The property of a column in a role's table.
  private func property(_ column: String, _ role: AliasRole?) -> String? {
    guard let role, !role.isPairs else { return nil }
    return role.entity.family.lazy.compactMap { entity -> String? in
      let layout = layout(entity)
      guard let place = layout.columns.firstIndex(where: { asciiLowercased($0.name) == asciiLowercased(column) }) else {
        return nil
      }
      return layout.properties.firstIndex { $0.ownColumns.contains(place) }.map { entity.properties[$0].name }
    }.first
  }
}
