public import Modeling

/// Swift source as lines of Lua, with what it declares, what its closures change and what its views say of rows.
///
///     @State private var query = ""            query = State("")
///     .onChange(of: query) { value in          function onChangeQuery(value)
///         quakes.nsPredicate = nil               quakes.predicate = nil
///     }                                        end
///
/// Source that Lua cannot express, or that is only about looks, is in `leftOut`; nothing else is dropped.
public struct SwiftScript: Hashable, Sendable {
  /// A property whose wrapper makes a request.
  public struct Request: Hashable, Sendable {
    /// The name in Lua.
    public var name: String
    /// The source of this request alone: other requests are blanks.
    public var source: String
    /// Whether it is a `@Query`, whose results are a plain list.
    public var isQuery: Bool
    /// The names in its predicate that have no value yet.
    public var variables: [Variable] = []
  }

  /// A name without a value.
  public struct Variable: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The declared type; nil where only a value says it.
    public var type: String?
    /// What the source declares it to be: `item.timestamp`.
    public var source: String?
  }

  /// A closure or function as a function of Lua.
  public struct Function: Hashable, Sendable {
    /// The name in Lua.
    public var name: String
    /// The names of the parameters in Lua.
    public var parameters: [String]
    /// Where it stands: `Button "abc"`, `.onChange(of: query)`.
    public var place: String
    /// The properties of live results that it sets: `items.predicate`.
    public var changes: [String]
    /// Whether a state calls it with each change.
    public var isObserver = false
  }

  /// The rows that a `List`, `ForEach` or `Table` shows.
  public struct List: Hashable, Sendable {
    /// The name of the live results, or what stands in their place.
    public var results: String
    /// The shown values of each row, in order; empty if the rows have a view that is not in the source.
    public var columns: [Column]
    /// Whether the rows are of sections.
    public var isSectioned: Bool
  }

  /// One thing that a list shows of each row.
  public struct Column: Hashable, Sendable {
    /// The key path of the shown value.
    public var path: String
    /// The heading; nil for the key path.
    public var title: String?
    /// A name such as `time`, or a text with `{}` for the value.
    public var format: String?

    /// Shows a key path.
    public init(path: String, title: String? = nil, format: String? = nil) {
      (self.path, self.title, self.format) = (path, title, format)
    }
  }

  /// A binding that a view takes: the view, and the expression of Lua for it.
  public struct Binding: Hashable, Sendable {
    /// The view with its title: `TextField "Filter"`.
    public var view: String
    /// The binding: `query:binding()`.
    public var lua: String
  }

  /// The source without its views, for the reader of requests; views are blanks, so that places stay.
  public var requestSource = ""
  /// The requests of properties, in order.
  public var requests: [Request] = []
  /// The lines that declare: they change neither objects nor requests when they run.
  public var declarations: [String] = []
  /// The lines that the requests must be there for: columns, observers.
  public var completions: [String] = []
  /// The lines that can run once the names in requests have values.
  public var laterLines: [String] = []
  /// The lines that act: they are shown and not run.
  public var actions: [String] = []
  /// The functions that closures became; their lines are in `completions`.
  public var functions: [Function] = []
  /// What views show of rows.
  public var lists: [List] = []
  /// The bindings that views take.
  public var bindings: [Binding] = []
  /// The names that are declared, with what they are: `query = State("")`.
  public var declared: [String] = []
  /// The views, modifiers and statements that have no form here, in the order of the source.
  public var leftOut: [String] = []
  /// The names of results that nothing declares, here or in the session.
  public var unknown: [String] = []
  /// The names whose binding is wanted although they are plain values.
  public var plain: [String] = []
  /// The names that mean something else here, with those that they got.
  public var renamed: [String] = []
  /// Whether the source has classes with `@Model`.
  public var hasModel = false
  /// What the source has outside of closures and of properties with wrappers; nil for none of these.
  public var source: Source?
  /// The name of the constant that is that; nil for none.
  public var sourceName: String?
  /// The names in that which have no value yet.
  public var variables: [Variable] = []

  /// What source can be read as.
  public enum Source: Hashable, Sendable {
    case request, predicate, expression
  }

  /// Whether there is something that can run.
  public var declares: Bool {
    !requests.isEmpty || !declarations.isEmpty || !completions.isEmpty || !functions.isEmpty
  }

  /// Reads Swift source; `scope` says what its names mean in the session.
  ///
  /// It reads what it can: mistakes of requests and predicates are for their own readers to report.
  public init(_ text: String, in scope: SwiftScope) {
    var reader = ScriptReader(text, scope)
    reader.read()
    self = reader.script
  }

  init() {}
}

/// What names mean in the session that source is pasted into.
public struct SwiftScope {
  /// What a global is.
  public enum Kind: Equatable {
    /// Live results, or a request, with the name of their entity.
    case results(entity: String)
    case request(entity: String)
    case state
    case observable
    case namespace
    case function
    /// A number, a text or a Boolean.
    case value
    case other
  }

  /// The model of the open store.
  public var model: Model?
  /// What a global is; nil if there is none with that name.
  public var kind: (String) -> Kind?
  /// Whether a name must not be declared: that of a function of ours, of an entity, of the store.
  public var isReserved: (String) -> Bool

  /// Describes a session.
  public init(model: Model?, kind: @escaping (String) -> Kind?, isReserved: @escaping (String) -> Bool) {
    self.model = model
    self.kind = kind
    self.isReserved = isReserved
  }
}
