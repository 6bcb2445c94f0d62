internal import HTTP
internal import Modeling
internal import ObjectGraph
internal import Session

// What pages of one store share: what stands around them, and forms that change it.
extension PageStore {
  func frame(_ title: String, _ path: [(String, PageAddress?)], _ content: HTML) -> PageFrame {
    let title = (page: title, store: session.parts.title)
    let state = title.store.state.map { $0 == "dry" ? "nothing is kept" : "read-only" }
    var frame = PageFrame(title: title.page, path: path, storeName: title.store.name, state: state, content: [content])
    frame.changes = changeBar
    return frame
  }

  /// A form that does something when it is sent, once.
  func form(
    _ action: PageAction, _ fields: [HTTPRequest.Field] = [], _ content: [HTML], class name: String,
    sendsFiles: Bool = false
  ) -> HTML {
    let hidden = ([HTTPRequest.Field("token", tokens.issue())] + fields).map { HTML.hidden($0.name, $0.value) }
    let type = sendsFiles ? "multipart/form-data" : nil
    return .tag("form", ["method": "post", "action": action.path, "enctype": type, "class": name], hidden + content)
  }

  /// A form that is a button alone.
  func button(_ action: PageAction, _ text: String, _ fields: [HTTPRequest.Field] = []) -> HTML {
    form(action, fields, [.tag("button", [:], text)], class: "button")
  }

  /// How many changes are unsaved, and what is done with them most; nil where nothing can be changed.
  var changeBar: HTML? {
    guard permitsChanges, let context = try? context(), !context.store.isReadOnly else { return nil }
    let count = context.changeCount
    return .group([
      .link(.changes, count == 0 ? "no changes" : Quantity.count(count, "change"), class: count == 0 ? nil : "unsaved"),
      context.canUndo ? button(.undo, "Undo") : .nothing, context.canRedo ? button(.redo, "Redo") : .nothing,
      count > 0 ? button(.save, "Save") : .nothing,
    ])
  }

  /// Whether an entity's objects can be changed by pages.
  func canChange(_ entity: Entity) -> Bool {
    permitsChanges && !entity.isReadOnly && (try? context().store.isReadOnly) == false
  }
}
