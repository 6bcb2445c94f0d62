internal import Presentation

// What keys do.
extension DifferenceScreen {
  static let allKeys: Keys =
    movingKeys + [("Enter", "open the difference: each property, old \u{2192} new")] + sortingKeys + [
      ("/", "search: the differences with a text in any value"),
      ("f", "only the differences of this property"), ("Backspace", "show again what / and f left out"),
      ("S", "sections by entity, by kind, none"),
      ("Space, Z, Enter", "in sections: fold one, fold all, only the rows of a heading"),
      ("m", "what distinguishes the models"), ("R", "compare again"),
    ] + columnKeys + drawingKeys + [("q, Ctrl-D", "leave; _ is the difference then")]

  var mainKeys: String {
    if field != nil { return "Enter take  Esc drop" }
    if selectedHeading != nil { return "q leave  ? help  Space fold  Z fold all  Enter only these  S sections" }
    return "q leave  ? help  Enter open  / search  s sort  f this property  S sections"
  }

  func obeyHere(_ key: Key) -> Bool {
    switch key {
    case .text(" ") where sectionCount > 0, .tab: foldSection()
    case .enter: open()
    case .text("m"): (isAboutModels, face) = (true, .card)
    case .text("/"): field = ScreenField(.search)
    case .text("f"): narrowToProperty()
    case .backspace, .escape: widen()
    case .text("S"): changeSections()
    case .text("R"): compareAgain()
    default: return false
    }
    return true
  }

  func sortByColumn() {
    guard let key = selectedKey else { return }
    arrange { arrangement in
      guard let order = arrangement.order, order.key == key else { return arrangement.order = (key, true) }
      arrangement.order = order.isAscending ? (key, false) : nil
    }
  }

  func typeHere(_ key: Key) -> Bool {
    switch key {
    case .escape: field = nil
    case .enter:
      let text = field?.editor.text ?? ""
      field = nil
      if !text.isEmpty { narrow(to: .text(text)) }
    default: field?.editor.take(key)
    }
    return true
  }

  private func open() {
    if let heading = selectedHeading, case .string(let name) = section(at: heading).id {
      let grouping = arrangement.grouping
      return narrow(to: .section(grouping, name))
    }
    isAboutModels = false
    if selectedRow != nil { face = .card }
  }

  private func narrowToProperty() {
    guard case .property(let name)? = selectedKey else { return remark = ("choose the column of a property", .note) }
    narrow(to: .property(name))
  }

  private func narrow(to condition: DifferenceArrangement.Condition) {
    arrange { arrangement in
      if !arrangement.conditions.contains(condition) { arrangement.conditions.append(condition) }
    }
  }

  private func widen() {
    if arrangement.conditions.isEmpty { return remark = ("all differences are shown; q leaves", .note) }
    arrange { _ = $0.conditions.popLast() }
  }

  private func changeSections() {
    place.folded = []
    arrange { arrangement in
      switch arrangement.grouping {
      case .entity: arrangement.grouping = .kind
      case .kind: arrangement.grouping = .nothing
      case .nothing: arrangement.grouping = .entity
      }
    }
  }
}
