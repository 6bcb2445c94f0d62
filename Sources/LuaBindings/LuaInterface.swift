internal import LuaRuntime

/// All that scripts have of the engine: the lists of functions and members that stand beside their subjects, put together.
///
/// To add a function or a member, declare it beside its subject; to add a list, or a kind of value, name it here. Nothing else names
/// this file's lists, so that a subject need not know the others.
enum LuaInterface {
  static let declarations = Declarations(
    functions: functions, subjects: subjects, objectProperties: ObjectMembers.properties, objectMethods: objectMethods,
    install: install)

  private static let functions: [GlobalFunction] =
    ModelFunctions.functions + PredicateFunctions.functions + RequestOptions.functions + StoreFunctions.functions
    + MainStoreFunctions.functions + ImportFunctions.functions + LoopFunctions.functions + JSONFunctions.functions
    + QueryFunctions.functions + BoundHistoryObserver.functions + ReactiveFunctions.functions + PlotFunctions.functions

  private static let objectMethods =
    ObjectMembers.methods + BoundExpression.objectMethods + ObjectMembers.changingMethods
    + ObjectMembers.observingMethods
    + ObjectReferences.methods + ObjectTree.methods

  private static let requestMembers: [Member<BoundRequest>] =
    BoundRequest.members + BoundRequest.groupingMembers + BoundRequest.countsMembers + BoundRequest.diffMembers
    + BoundRequest.tryIndexMembers + BoundRequest.whyMembers + BoundRequest.checkMembers + BoundRequest.parityMembers
    + BoundRequest.summaryMembers + BoundRequest.facetMembers + BoundRequest.pivotMembers + BoundRequest.swiftMembers
    + BoundRequest.liveMembers + CompareFunctions.requestMembers + PlotFunctions.requestMembers + BoundRequest.fields

  private static let entityMembers: [Member<BoundEntity>] =
    BoundEntity.findingMembers + BoundEntity.askingMembers + BoundEntity.templateMembers + BoundEntity.batchMembers
    + BoundEntity.observingMembers
    + BoundEntity.requestMembers(from: requestMembers)

  private static let contextMembers: [Member<BoundContext>] =
    BoundContext.members + BoundContext.undoMembers + BoundContext.makingMembers + BoundContext.turnMembers
    + BoundContext.observingMembers + BoundContext.faultMembers + BoundContext.mergingMembers
    + BoundContext.historyMembers

  private static let storeMembers: [Member<BoundStore>] =
    BoundStore.members + BoundStore.templateMembers + BoundStore.fileMembers + BoundStore.historyMembers
    + BoundStore.undoMembers + BoundStore.observingMembers
    + BoundStore.copyMembers + BoundStore.verificationMembers + CompareFunctions.storeMembers

  private static let predicateMembers: [Member<BoundPredicate>] =
    BoundPredicate.members + BoundPredicate.requestMembers + BoundPredicate.whyMembers + BoundPredicate.checkMembers
    + BoundPredicate.parityMembers + BoundPredicate.swiftMembers

  /// The kinds of values and the options of functions, in the order of the documentation.
  private static let subjects: [Declarations.Subject] =
    modelling + storing + asking + [
      .entries { BoundStore.copyEntries + ImportFunctions.entries + JSONFunctions.entries + LoopFunctions.entries },
      .kind(
        BoundObservationToken.self, maker: #"Quake:on("insert", print)"#, BoundObservationToken.members),
      .entries { EntityHooks.entries + BoundStore.historyOptions + PlotReading.entries },
    ] + telling + reacting

  private static let modelling: [Declarations.Subject] = [
    .entries { TypeWord.globalEntries + DateFunctions.entries },
    .kind(BoundDecimal.self, maker: #"Decimal("1.10")"#, BoundDecimal.members),
    .entries {
      AttributeDraft.entries + RelationshipDraft.entries + FetchedPropertyDraft.entries + EntityDraft.entries
        + ModelOptions.entries
    },
    .kind(
      BoundModel.self, maker: "store.model",
      BoundModel.nameMembers + BoundModel.templateMembers + BoundModel.members),
  ]

  private static let storing: [Declarations.Subject] = [
    .entries { StoreFunctions.entries },
    .kind(BoundStore.self, maker: "store", storeMembers),
    .kind(
      BoundDifference.self, maker: "store:compare(store)", BoundDifference.members),
    .kind(
      BoundMigrationPlan.self, maker: "store:migrationPlan(store.model)", BoundMigrationPlan.members),
    .kind(BoundContext.self, maker: "context", contextMembers),
    .kind(BoundEntity.self, maker: "Quake", entityMembers),
    .entries { BoundEntity.batchEntries + ObjectMembers.entries(of: objectMethods) },
    .kind(
      BoundCollection.self, maker: "Quake:first().reports",
      BoundCollection.members + BoundCollection.requestMembers(from: requestMembers)),
  ]

  private static let asking: [Declarations.Subject] = [
    .kind(BoundPredicate.self, maker: #"Predicate("magnitude > %@", 3)"#, predicateMembers),
    .kind(BoundExpression.self, maker: #"Expression("magnitude * 2")"#, BoundExpression.members),
    .kind(
      BoundSortDescriptor.self, maker: #"SortDescriptor("time", "reverse")"#, BoundSortDescriptor.members),
    .entries { SortDescriptorFunctions.entries + RequestOptions.entries },
    .kind(BoundRequest.self, maker: #"Quake:where("magnitude > 3")"#, requestMembers),
    .kind(BoundResult.self, maker: "Quake:all():fetch()", BoundResult.members),
    .kind(BoundObjectID.self, maker: "Quake:first().objectID", BoundObjectID.members),
    .kind(
      RaisedError.self, maker: #"select(2, pcall(Quake.where, Quake, "magnitud > 5"))"#, RaisedError.members),
  ]

  private static let telling: [Declarations.Subject] = [
    .kind(BoundHistory.self, maker: "store:history()", BoundHistory.members),
    .kind(
      BoundHistoryTransaction.self, example: BoundHistory.example, BoundHistoryTransaction.members),
    .kind(BoundHistoryChange.self, example: BoundHistory.example, BoundHistoryChange.members),
    .entries { QueryFunctions.entries },
    .kind(
      BoundFetchedResults.self, maker: #"Quake:sorted("-magnitude"):live()"#,
      BoundFetchedResults.members + BoundFetchedResults.facetMembers
        + BoundFetchedResults.liveMembers("results")),
    .kind(BoundSections.self, maker: sections, BoundSections.members),
    .kind(BoundSection.self, maker: sections + "[1]", BoundSection.members),
    .kind(
      BoundFetchedValues.self, maker: #"Quake:all():grouped("place", { n = "count" }):live()"#,
      BoundFetchedValues.members),
    .kind(
      BoundChange.self,
      example:
        #"Quake:all():live():onChange(function(change) print(#change.inserted, change.kind) end) Quake { code = "new" } context:processPendingChanges()"#,
      BoundChange.members),
    .kind(
      BoundHistoryObserver.self, maker: "HistoryObserver({ store = store })", BoundHistoryObserver.members),
  ]

  private static let sections = #"SectionedFetchRequest({ entity = Quake, sectionIdentifier = "place" }):live()"#

  private static let reacting: [Declarations.Subject] = [
    .kind(BoundState.self, maker: "State(5)", BoundState.members),
    .entries { BoundBinding.globalEntries },
    .kind(BoundBinding.self, maker: "State({ x = 5 }):binding()", BoundBinding.members),
    .kind(
      BoundEffect.self, maker: "effect(function() print(Quake:count()) end)", BoundEffect.members),
    .entries { ValueWatch.entries },
    .kind(BoundStorage.self, maker: #"SceneStorage("minimum", 5)"#, BoundStorage.members),
    .entries {
      BoundEnvironment.globalEntries + BoundEnvironment.entries + BoundPreference.globalEntries
        + BoundPreference.entries
    },
    .kind(BoundNamespace.self, maker: "Namespace()", BoundNamespace.members),
    .entries { TransactionFunctions.entries },
    .kind(BoundPlot.self, maker: #"plot(Quake, { x = "magnitude" })"#, BoundPlot.members),
  ]

  @Sendable private static func install(_ engine: Engine) throws {
    let lua = engine.lua
    for word in TypeWord.all {
      engine.classes.push(word, on: lua.stack)
      lua.setGlobal(word.name)
    }
    engine.classes.push(BindingWord(), on: lua.stack)
    lua.setGlobal("Binding")
    OSDate.install(in: engine)
    BoundEnvironment.install(in: engine)
    BoundPreference.install(in: engine)
    ObjectMembers.pushTable(of: engine, on: lua.stack)
    lua.setGlobal("Object")
  }
}

extension Engine {
  /// Creates a Lua state with the whole catalog as globals and no store.
  public convenience init(_ options: Options = Options()) throws {
    try self.init(options, LuaInterface.declarations)
  }
}
