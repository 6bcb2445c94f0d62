internal import HTTP
internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Session

/// The members of a to-many, each with a button that removes it, and a field that adds one by its name.
struct MembersView {
  private let object: ManagedObject
  private let index: Int
  private let store: PageStore
  var typed = ""
  var mistake: String?

  /// The members that have buttons.
  private static let most = 100

  init(_ object: ManagedObject, at index: Int, in store: PageStore) {
    (self.object, self.index, self.store) = (object, index, store)
  }

  private var name: String { object.entity.properties[index].name }
  private var address: ObjectAddress { store.address(of: object) }
  private var fields: [HTTPRequest.Field] { address.fields + [.init("property", name)] }

  var frame: PageFrame {
    let path: [(String, PageAddress?)] = [
      (object.entity.name, .rows(RowsAddress(object.entity.name))),
      (ObjectText.title(of: object), .object(address)), (name, nil),
    ]
    return store.frame("\(name) of \(ObjectText.name(of: object))", path, html)
  }

  private var html: HTML {
    let control = PropertyControl(object.entity, at: index)
    let adding = store.form(
      .member, fields,
      [
        .tag("label", [:], [.tag("span", ["class": "name"], "Add to \(name)"), control.html("value", typed)]),
        mistake.map { .tag("p", ["class": "mistake", "role": "alert"], $0) } ?? .nothing,
        .tag("div", ["class": "buttons"], [.tag("button", [:], "Add")]),
      ], class: "edit")
    return .group([.tag("h1", [:], "\(name) of \(ObjectText.name(of: object))"), adding, members])
  }

  private var members: HTML {
    guard let members = try? store.reading(seconds: 2, { try object.members(at: index) }) else {
      return .tag("p", ["class": "note"], "the members take too long to read")
    }
    let items = members.prefix(Self.most).map { member -> HTML in
      let other = store.address(of: member)
      let keys = other.key.map { HTTPRequest.Field("member.key", $0) }
      return .tag(
        "li", [:],
        [
          .link(.object(other), ObjectText.name(of: member)), .text(" "),
          store.button(.member, "Remove", fields + [.init("member.entity", other.entity)] + keys),
        ])
    }
    let rest = members.count - items.count
    var rows = RowsAddress(object.entity.destination(at: index).name)
    rows.lead = .along(name, address)
    let more: HTML =
      rest > 0
      ? .tag("p", ["class": "note"], [.text("and \(Quantity.grouped(rest)) more: "), .link(.rows(rows), "all")])
      : .nothing
    return .group([.tag("ul", ["class": "members"], items), more])
  }
}
