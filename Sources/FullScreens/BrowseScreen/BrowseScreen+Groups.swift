internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Queries

// Values of a column with their counts, who points at an object, and sections.
extension BrowseScreen {
  /// The most values that are listed; the rest is seldom.
  private static let mostValues = 1_000

  /// Counts lines to choose from and shows them; the line of `former` stays.
  func count(_ subject: BrowseGroups.Subject, following former: BrowseGroups? = nil) {
    let inquiry = PredicateInquiry(session, step.entity, in: context)
    // Only who pressed a key waits for the answer.
    if former == nil { announce() } else { inquiry.shouldStop = { [terminal] in terminal.hasInput } }
    do {
      switch try inquiry.attempt({ try groups(of: subject) }) {
      case .done(var found?):
        if let former { found.follow(former) }
        groups = found
      case .done(nil): break
      case .stopped, .interrupted: if former == nil { remark = ("stopped", .warning) }
      case .failed(let message): remark = (message, .error)
      }
    } catch {
      remark = (engine.report(error).message, .error)
    }
  }

  /// The lines; nil after a remark that there are none.
  private func groups(of subject: BrowseGroups.Subject) throws -> BrowseGroups? {
    switch subject {
    case .values(let index): return try values(of: index)
    case .references(let object): return try references(to: object)
    }
  }

  private func values(of index: Int) throws -> BrowseGroups? {
    let property = step.entity.properties[index]
    guard property.relationship?.isToMany != true else {
      remark = ("\(property.name) has many values", .note)
      return nil
    }
    let path = Queries.Expression.path(PropertyPath([property.name]))
    let found = try context.frequentValues(step.request, of: path, most: Self.mostValues)
    var notes: [String] = []
    if found.isCut { notes.append("the \(Quantity.grouped(Self.mostValues)) most frequent values; there are more") }
    if found.leavesOutUnsaved { notes.append("unsaved changes are not counted") }
    if !notes.isEmpty { remark = (notes.joined(separator: "; "), .note) }
    let lines = found.values.map { (Cell($0.value, named: context), $0.count) }
    return BrowseGroups(.values(index), property.name, lines) { [here, values = found.values] line in
      var next = here
      next.narrow(to: BrowseStep.condition(property.name, values[line].value))
      return next
    }
  }

  private func references(to object: ManagedObject) throws -> BrowseGroups? {
    let all = try object.referenceRequests.map { ($0.relationship, $0.request, try context.count($0.request)) }
    let found = all.filter { $0.2 > 0 }
    if found.isEmpty {
      remark = ("nothing points at it", .note)
      return nil
    }
    let lines = found.map { name, request, count in (Cell.text("\(request.entity.name).\(name)"), count) }
    return BrowseGroups(.references(object), "references to \(ObjectText.name(of: object))", lines) { line in
      BrowseStep(found[line].1)
    }
  }

  // MARK: Sections

  /// Shows the rows in sections by the column, or without sections where it makes them already.
  func section() {
    guard let index = selectedProperty else { return }
    let property = step.entity.properties[index]
    guard property.attribute != nil, !property.isTransient else {
      return remark = ("sections are made by an attribute; v counts what \(property.name) leads to", .note)
    }
    let path = Queries.Expression.path(PropertyPath([property.name]))
    rearrange { $0.section(by: selectedHeading != nil || $0.request.sectionIdentifier == path ? nil : path) }
  }

  /// Goes to the objects of a section alone.
  func narrow(to section: Int) {
    guard let expression = step.request.sectionIdentifier else {
      return remark = ("a function made the section; Space folds it", .note)
    }
    var next = here
    next.section(by: nil)
    next.narrow(to: .comparison(Comparison(expression, .equal, .constant(sections[section].id))))
    go(to: next)
  }
}
