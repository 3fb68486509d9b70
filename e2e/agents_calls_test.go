package e2e

import (
	"path/filepath"
	"regexp"
	"strings"

	"chant/e2e/fakemodel"
)

// vocabulary is what an agent CLI calls the tools that the scripts use.
type vocabulary struct {
	first []fakemodel.Call // what has to be called before any tool of a server
	mcp   func(tool string, input map[string]any) fakemodel.Call
	write func(path, text string) fakemodel.Call
	shell func(command string) fakemodel.Call
	// forbidden is a call that the CLI refuses, or answers without doing it, and refused
	// the tool that it then names as denied; "" if it reports no denial.
	forbidden func(home string) fakemodel.Call
	refused   string
}

func use(name string, input map[string]any) fakemodel.Call {
	return fakemodel.Call{Name: name, Input: input}
}

// serverTools calls tools of our server by their name after this prefix.
func serverTools(prefix string) func(string, map[string]any) fakemodel.Call {
	return func(tool string, input map[string]any) fakemodel.Call { return use(prefix+tool, input) }
}

// writing calls a tool that takes a path and a text under these names.
func writing(tool, path, text string) func(string, string) fakemodel.Call {
	return func(p, t string) fakemodel.Call { return use(tool, map[string]any{path: p, text: t}) }
}

// running calls a tool that takes a command and says what it is for.
func running(tool string) func(string) fakemodel.Call {
	return func(command string) fakemodel.Call {
		return use(tool, map[string]any{"command": command, "description": "Run it"})
	}
}

// notOffered calls a tool that the CLI has left out.
func notOffered(tool string) func(string) fakemodel.Call {
	return func(string) fakemodel.Call { return use(tool, map[string]any{"url": "http://127.0.0.1:9/"}) }
}

func claudeWords() vocabulary {
	return vocabulary{
		mcp: serverTools("mcp__chant__"), write: writing("Write", "file_path", "content"), shell: running("Bash"),
		forbidden: func(string) fakemodel.Call {
			return use("WebFetch", map[string]any{"url": "http://127.0.0.1:9/", "prompt": "Read it"})
		},
		refused: "WebFetch",
	}
}

// codexWords has no tool to write with: codex gives one to models that it knows.
func codexWords() vocabulary {
	shell := func(command string) fakemodel.Call { return use("exec_command", map[string]any{"cmd": command}) }
	return vocabulary{
		mcp:   serverTools("mcp__chant."),
		write: func(path, text string) fakemodel.Call { return shell("printf '" + text + "' > '" + path + "'") },
		shell: shell,
		forbidden: func(home string) fakemodel.Call {
			return shell("echo out > '" + filepath.Join(home, "forbidden.txt") + "'")
		},
	}
}

func opencodeWords() vocabulary {
	return vocabulary{
		mcp: serverTools("chant_"), write: writing("write", "filePath", "content"), shell: running("bash"),
		forbidden: notOffered("launch"),
	}
}

func geminiWords() vocabulary {
	return vocabulary{
		mcp: serverTools("mcp_chant_"), write: writing("write_file", "file_path", "content"), shell: running("run_shell_command"),
		forbidden: notOffered("launch"), refused: "launch",
	}
}

// qwenWords has tools of servers searched for and called by another tool.
func qwenWords() vocabulary {
	return vocabulary{
		first: []fakemodel.Call{use("tool_search", map[string]any{
			"query": "select:mcp__chant__chant_spec_get,mcp__chant__chant_criterion_check",
		})},
		mcp: func(tool string, input map[string]any) fakemodel.Call {
			return use("tool_call", map[string]any{"name": "mcp__chant__" + tool, "arguments": input})
		},
		write: writing("write_file", "file_path", "content"),
		shell: func(command string) fakemodel.Call {
			return use("run_shell_command", map[string]any{"command": command, "is_background": false})
		},
		forbidden: notOffered("launch"),
	}
}

func copilotWords() vocabulary {
	return vocabulary{
		mcp: serverTools("chant-"), write: writing("create", "path", "file_text"), shell: running("bash"),
		forbidden: notOffered("launch"),
	}
}

func loopWords() vocabulary {
	return vocabulary{
		mcp: serverTools(""), write: writing("write_file", "path", "content"), shell: running("run_command"),
		forbidden: func(home string) fakemodel.Call {
			return use("write_file", map[string]any{"path": filepath.Join(home, "forbidden.txt"), "content": "out"})
		},
		refused: "write_file",
	}
}

// specPath finds in the prompt where the agent's copy of the spec lies.
var specPath = regexp.MustCompile("`(/[^`]*/\\.chant/specs/[^`/]+\\.md)`")

// task is what the prompt of a run says.
type task struct{ spec, id, tree string }

// script makes the model one that reads its prompt first. A request without one is
// not part of the run: a title, or what a CLI asks for its own ends.
func script(turns func(task) []fakemodel.Turn) fakemodel.Script {
	return func(r fakemodel.Request) []fakemodel.Turn {
		found := specPath.FindStringSubmatch(r.Prompt)
		if found == nil {
			return []fakemodel.Turn{{Text: "The prompt names no spec file."}}
		}
		path := found[1]
		return turns(task{path, strings.TrimSuffix(filepath.Base(path), ".md"), filepath.Dir(filepath.Dir(filepath.Dir(path)))})
	}
}

// greeted is what the greeter says last.
const greeted = "The greeting is committed."

// greet is a model that does what the spec asks for: it reads the spec over MCP, writes
// and commits a greeting, checks its criterion over MCP, and forgets a process in the
// background as agents do with servers they try out.
func (v vocabulary) greet() fakemodel.Script {
	return script(func(t task) []fakemodel.Turn {
		calls := append(append([]fakemodel.Call{}, v.first...),
			v.mcp("chant_spec_get", map[string]any{"id": t.id}),
			v.write(filepath.Join(t.tree, "hello.txt"), "Hello, reader\n"),
			v.shell("(sleep 600 >/dev/null 2>&1 </dev/null &) ; git add -A && git commit -q -m 'Greet the reader'"),
			v.mcp("chant_criterion_check", map[string]any{"id": t.id, "criterion": "2"}),
		)
		return oneByOne(calls, greeted)
	})
}

// giveUp is a model that is refused a tool and gives up.
func (v vocabulary) giveUp(home string) fakemodel.Script {
	return script(func(task) []fakemodel.Turn { return oneByOne([]fakemodel.Call{v.forbidden(home)}, "I may not.") })
}

// greetLate is a model whose first command creates a file and does not end,
// unless it was begun before. It writes twice, since a CLI may count a command that was
// cut short as answered once or twice.
func (v vocabulary) greetLate(begun string) fakemodel.Script {
	return script(func(t task) []fakemodel.Turn {
		write := v.write(filepath.Join(t.tree, "hello.txt"), "Hello, reader\n")
		return oneByOne([]fakemodel.Call{
			v.shell("[ -e '" + begun + "' ] || { : > '" + begun + "'; sleep 600; }"),
			write, write,
		}, greeted)
	})
}

// oneByOne makes each call a turn of its own, for a call may need what the last one
// found.
func oneByOne(calls []fakemodel.Call, last string) []fakemodel.Turn {
	turns := []fakemodel.Turn{{Text: "First the spec.", Calls: calls[:1]}}
	for _, c := range calls[1:] {
		turns = append(turns, fakemodel.Turn{Calls: []fakemodel.Call{c}})
	}
	return append(turns, fakemodel.Turn{Text: last})
}
