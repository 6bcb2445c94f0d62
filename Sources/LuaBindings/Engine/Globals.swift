internal import LuaRuntime

/// The globals of every Lua state, before a store is opened.
enum Globals {
  /// The global functions; to add one, declare it with its subject and add its list here.
  static let functions: [GlobalFunction] =
    ModelFunctions.functions + PredicateFunctions.functions + RequestOptions.functions + StoreFunctions.functions
    + MainStoreFunctions.functions + ImportFunctions.functions + LoopFunctions.functions
    + JSONFunctions.functions + QueryFunctions.functions + BoundHistoryObserver.functions + ReactiveFunctions.functions
    + PlotFunctions.functions

  /// The members of all kinds.
  static let entries: [CatalogEntry] =
    TypeWord.globalEntries + DateFunctions.entries + BoundDecimal.entries + AttributeDraft.entries
    + RelationshipDraft.entries + FetchedPropertyDraft.entries + EntityDraft.entries + ModelOptions.entries
    + BoundModel.entries + StoreFunctions.entries + BoundStore.entries + BoundMigrationPlan.entries
    + BoundContext.entries + BoundEntity.entries + BoundEntity.requestEntries + BoundEntity.batchEntries
    + ObjectMembers.entries
    + BoundCollection.entries
    + BoundPredicate.entries + BoundExpression.entries + BoundSortDescriptor.entries + SortDescriptorFunctions.entries
    + RequestOptions.entries
    + BoundRequest.entries + BoundResult.entries + BoundObjectID.entries + RaisedError.entries
    + ImportFunctions.entries + JSONFunctions.entries + LoopFunctions.entries + BoundObservationToken.entries
    + EntityHooks.entries
    + BoundStore.historyOptions + PlotReading.entries
    + BoundHistory.entries
    + BoundHistoryTransaction.entries + BoundHistoryChange.entries + QueryFunctions.entries
    + BoundFetchedResults.entries
    + BoundSections.entries + BoundSection.entries + BoundFetchedValues.entries + BoundChange.entries
    + BoundHistoryObserver.entries + ReactiveFunctions.entries + BoundPlot.entries
}

extension Engine {
  /// Makes the functions, type words and `null` globals.
  func installGlobals() {
    for function in Globals.functions {
      let refusal = sandboxRefusal(owner: "", function.name)
      let signature = Signature(function.signature)
      lua.setGlobal(function.name) { [unowned self] stack in
        if let refusal { throw refusal.at(function.name) }
        let call = Call(engine: self, stack: stack, name: function.name)
        try call.refuseSurplus(signature)
        return try followingWrites { try function.body(call) }
      }
    }
    for word in TypeWord.all {
      typeWords.push(word, on: lua.stack)
      lua.setGlobal(word.name)
    }
    lua.stack.push(null)
    lua.setGlobal("null")
    makeBindingWordClass().push(BindingWord(), on: lua.stack)
    lua.setGlobal("Binding")
    OSDate.install(in: self)
    installEnvironment()
    installPreferences()
    ObjectMembers.pushTable(of: self, on: lua.stack)
    lua.setGlobal("Object")
  }
}
