internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Queries
internal import Session

// What the screen says about where one is.
extension BrowseScreen {
  /// `4,000 Quake · where magnitude > 5 · sorted by -time · 1 unsaved change · step 3`
  var titleOfStep: (rows: String, parts: [String]) {
    var parts = context.changeCount > 0 ? [Quantity.count(context.changeCount, "unsaved change")] : []
    parts += step.wording + arrangementParts(step.request, isSectioned: true)
    if !trail.isEmpty { parts.append("step \(trail.count + 1)") }
    return ("\(Quantity.grouped(objects.count)) \(step.entity.name)", parts)
  }

  var mainKeys: String {
    if field != nil { return "Enter take  Esc drop" }
    if groups != nil { return "Enter these  Esc rows  q leave" }
    if selectedHeading != nil { return "q leave  ? help  Space fold  Z fold all  Enter only these  S no sections" }
    var keys = "q leave  ? help  / search  w where"
    guard let index = selectedProperty else { return keys }
    let property = step.entity.properties[index]
    keys += "  s sort by \(property.name)"
    return keys + (property.relationship == nil ? "  f this value  e edit  Enter open" : "  e edit  Enter follow")
  }

  /// The values of a column; nil where rows are shown.
  func groupLines() -> [ScreenLine]? {
    guard let visible = groups?.visible(room), let groups else { return nil }
    var placement = GridPlacement()
    let grid = TableGrid(
      groups.columns, visible.map { groups.row($0, charset) }, formerTexts: visible.map { _ in [:] }, showing: 0,
      &placement, width: size.columns, style, charset)
    let lines = visible.map { grid.row($0 - visible.lowerBound, nil, isSelected: $0 == groups.selected) }
    return grid.header + lines + [grid.bottom]
  }
}
