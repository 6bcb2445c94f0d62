internal import Glibc
internal import LuaBindings
internal import Presentation
internal import Session

/// `perilune init`: puts a small project into a folder: a model, a script, a spec, the annotations, and files that point editors
/// and luacheck to them.
///
/// Nothing is overwritten: where one of the files is there, none is written.
package struct ProjectRun: ProgramRun {
  package var options: RunOptions
  private let folder: String

  package init(in folder: String, _ options: RunOptions) { (self.folder, self.options) = (folder, options) }

  package func run(in surroundings: Surroundings) -> Int32 {
    inSession(surroundings, StoreAccess(), makeProject)
  }

  private func makeProject(in session: EngineSession) -> Int32 {
    let surroundings = session.surroundings
    let names = ProjectSeed.files.keys.sorted() + [ProjectSeed.annotations, ProjectSeed.luacheck]
    let taken = names.filter { access(folder + "/" + $0, F_OK) == 0 }
    guard taken.isEmpty else {
      let list = taken.map { "'\(folder)/\($0)'" }.joined(separator: ", ")
      let verb = taken.count == 1 ? "is" : "are"
      return surroundings.fail(
        "\(list) \(verb) there already, so nothing was written; name another folder: perilune init FOLDER",
        ExitStatus.inputOutput)
    }
    var status = surroundings.write(ProjectSeed.files, into: folder)
    if status != 0 { return status }
    status = session.guarding { try session.open(try session.loadModel(folder + "/" + ProjectSeed.model)) }
    if status != 0 { return status }
    status = surroundings.write(
      [ProjectSeed.annotations: session.annotations, ProjectSeed.luacheck: session.session.luacheckSettings],
      into: folder)
    if status != 0 { return status }
    if options.isQuiet { return session.finish(0) }
    let place = folder == "." ? "" : "cd \(folder) && "
    surroundings.show(
      """
      \(names.sorted().joined(separator: ", ")) in \(folder == "." ? "this folder" : folder)
      run it:   \(place)perilune app.sqlite --create --model model.lua report.lua
      test it:  \(place)perilune test
      check it: \(place)perilune check report.lua

      """)
    return session.finish(0)
  }
}

/// The files that a new project begins with.
enum ProjectSeed {
  static let model = "model.lua"
  static let annotations = "types.lua"
  static let luacheck = ".luacheckrc"

  /// The texts by the names of their files.
  static let files = [
    model: """
    -- The model: what is stored, and by which rules. After a change write the types for editors anew:
    --     perilune types --lua model.lua > types.lua
    return Model {
      Task = Entity {
        title = String { optional = false, minLength = 1 },
        isDone = Bool { default = false },
        due = Date,
        project = ToOne "Project" { inverse = "tasks" },
      },
      Project = Entity {
        name = String { optional = false, unique = true },
        tasks = ToMany "Task" { inverse = "project", deleteRule = "cascade" },
      },
    }

    """,
    "report.lua": """
    -- What is left to do, by project:
    --     perilune app.sqlite --create --model model.lua report.lua
    if not Project:exists() then
      local garden = Project { name = "Garden" }
      Task { title = "Buy seeds", project = garden, isDone = true }
      Task { title = "Dig", project = garden }
      save()
    end

    for project in Project:all():sorted("name"):each() do
      local open = project.tasks:where("isDone == NO")
      print(project.name .. ": " .. open:count() .. " of " .. #project.tasks .. " to do")
    end

    """,
    "model_spec.lua": """
    -- perilune test
    test("a task is to be done at first", function()
      local task = Task { title = "Dig" }
      save()
      expect(task.isDone):isFalse()
    end)

    test("the tasks of a project go with it", function()
      local garden = Project { name = "Garden" }
      Task { title = "Dig", project = garden }
      save()
      garden:delete()
      save()
      expect(Task:count()):equals(0)
    end)

    test("a task needs a title", function()
      Task {}
      expect(save):fails "title"
    end)

    """,
    ".luarc.json": """
    {
      "runtime.version": "Lua 5.4",
      "workspace.library": ["types.lua"]
    }

    """,
    ".emmyrc.json": """
    {
      "runtime": { "version": "Lua5.4" },
      "workspace": { "library": ["types.lua"] }
    }

    """,
  ]
}
