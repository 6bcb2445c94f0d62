internal import HTTP
internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Session

/// The unsaved changes as `.diff` says them, with what can be done about them, and why a save has failed.
struct ChangesView {
  private let store: PageStore
  /// Why a save has failed.
  var failure: GraphError?
  /// The same, of an error without objects.
  var mistake: String?
  /// What is asked before much is written.
  var question: (action: PageAction, text: String)?

  /// The changes that are listed.
  private static let most = 500

  init(_ store: PageStore) { self.store = store }

  func frame() throws -> PageFrame {
    let context = try store.context()
    let lines = DiffText().lines(try store.reading { try context.diff() })
    let shown = lines.prefix(Self.most).map(item)
    let rest = lines.count - shown.count
    let title = lines.isEmpty ? "No unsaved changes" : Quantity.count(lines.count, "unsaved change")
    let content = HTML.tag(
      "div", ["data-reload": failure == nil && mistake == nil && question == nil ? "" : nil],
      [
        .tag("h1", [:], title), asked, problems(), .tag("ul", ["class": "changes"], shown),
        rest > 0 ? .tag("p", ["class": "note"], "and \(Quantity.grouped(rest)) more; .diff lists all") : .nothing,
        buttons(context, isEmpty: lines.isEmpty),
      ])
    var frame = store.frame("Changes", [("changes", nil)], content)
    frame.line = ".diff"
    return frame
  }

  private func item(_ line: DiffText.Line) -> HTML {
    let object = line.object
    let address = store.address(of: object)
    var parts: [HTML] = [.tag("code", [:], line.text), .text(" ")]
    if !object.isDeleted { parts += [.link(.object(address), "open"), .text(" ")] }
    // What a delete rule did is discarded with the deletion.
    if let cause = object.deletionCause {
      parts.append(.text("with \(cause.objectID)"))
    } else if !line.isConsequence {
      parts.append(store.button(.discard, "Discard", address.fields))
    }
    let kind = object.isDeleted ? "deleted-line" : object.isInserted ? "inserted-line" : "changed-line"
    return .tag("li", ["class": kind], parts)
  }

  private func buttons(_ context: ObjectContext, isEmpty: Bool) -> HTML {
    let all: [(PageAction, String, Bool)] = [
      (.save, "Save", !isEmpty), (.discard, "Discard all", !isEmpty), (.undo, "Undo", context.canUndo),
      (.redo, "Redo", context.canRedo), (.undosave, "Undo the last save", isEmpty),
      (.redosave, "Redo the save", isEmpty),
    ]
    return .tag("div", ["class": "buttons"], all.filter(\.2).map { store.button($0.0, $0.1) })
  }

  // MARK: What is in the way

  private var asked: HTML {
    guard let question else { return .nothing }
    return store.form(
      question.action, [.init("confirmed", question.text)],
      [
        .tag("p", ["class": "problem", "role": "alert"], question.text + "; go on?"),
        .tag("div", ["class": "buttons"], [.tag("button", [:], "Go on"), .link(.changes, "No")]),
      ], class: "edit")
  }

  private func problems() -> HTML {
    if let mistake { return .tag("p", ["class": "mistake", "role": "alert"], mistake) }
    switch failure?.fact {
    case .invalid(let violations)?:
      let sentences = store.session.engine.report(failure!).details.map(\.message)
      return .group(zip(violations, sentences).map(violation))
    case .conflicts(let conflicts)?: return .group(conflicts.map(conflict))
    case nil: return .nothing
    default: return .tag("p", ["class": "mistake", "role": "alert"], store.sentence(of: failure!))
    }
  }

  /// A value that is not valid, with the form that mends it.
  private func violation(_ violation: ObjectViolation, _ sentence: String) -> HTML {
    let object = try? store.context().existingObject(violation.object)
    let sentence = HTML.tag("p", ["class": "mistake", "role": "alert"], sentence)
    guard let object, !object.isDeleted, let index = object.entity.index(of: violation.violation.property),
      let editor = try? EditorView(object, at: index, in: store)
    else { return sentence }
    return .tag("div", ["class": "violation"], [sentence, editor.html])
  }

  /// A conflict with the store: base, mine and theirs of each property, and the choice between them.
  private func conflict(_ conflict: ObjectConflict) -> HTML {
    let sentence = store.session.engine.report(GraphError(.conflicts([conflict]))).message
    guard let object = try? store.context().object(conflict.object) else { return .nothing }
    let address = store.address(of: object)
    let heads = ["", "base", "mine", "theirs"].map { HTML.tag("th", ["scope": "col"], $0) }
    let rows = conflict.properties.map { property -> HTML in
      let values = [property.base, property.mine, property.theirs].map { HTML.tag("td", [:], $0.debugText) }
      return .tag("tr", [:], [.tag("th", ["scope": "row"], property.property)] + values)
    }
    var choices: [(take: String, text: String)] = []
    switch conflict.kind {
    case .changed: choices = [("mine", "Keep mine"), ("theirs", "Take theirs")]
    case .deletedHere: choices = [("mine", "Delete it all the same"), ("theirs", "Keep it as it is there")]
    case .deletedInStore: choices = [("theirs", "Drop my changes")]
    case .notUnique, .notUniqueAmongChanges: break
    }
    let buttons = choices.map { store.button(.resolve, $0.text, address.fields + [.init("take", $0.take)]) }
    return .tag(
      "div", ["class": "violation"],
      [
        .tag("p", ["class": "mistake", "role": "alert"], sentence),
        .tag("table", ["class": "conflict"], [.tag("thead", [:], [.tag("tr", [:], heads)]), .tag("tbody", [:], rows)]),
        .tag("div", ["class": "buttons"], buttons),
      ])
  }
}
