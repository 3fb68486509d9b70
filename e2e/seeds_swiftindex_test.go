package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestSeeds_swiftindex: what the document of SwiftIndex says, in a project and in a folder that is in no repository of git.
func TestSeeds_swiftindex(t *testing.T) {
	t.Parallel()
	seed{
		name: "SwiftIndex", over: []transport{overLines, overHTTP}, args: []string{"--toolsets", "code"},
		hello: `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"e2e","version":"1"}}`,
		project: func(t *testing.T) *project {
			p := newProject(t)
			for name, text := range seedCode() {
				p.write(name, text)
				p.write("../plain/"+name, text)
			}
			return p
		},
		says: append(append(append(swiftServer(), swiftIndex()...), swiftSearch()...), swiftTasks()...),
	}.run(t)
}

// swiftServer are the statements about the protocol and the schemas.
func swiftServer() []statement {
	const all = `{"title":"~.","description":"~.","inputSchema":{"type":"object"},"outputSchema":{"type":"object"},"annotations":{"readOnlyHint":true},"icons":[{"src":"~^data:image/"}]}`
	schema := func(lines, tool, says, want string) statement {
		return statement{lines: lines, says: tool + ": " + says, method: "tools/list", want: `{"result":{"tools":["...",{"name":"` + tool + `",` + want + `},"..."]}}`}
	}
	const path = `"path":{"type":"string","default":".","description":"Path to indexed codebase"}`
	const filter = `"path_filter":{"type":"string","description":"Filter by path pattern (glob syntax)"}`
	const format = `"format":{"type":"string","enum":["toon","json","human"],"description":"~^Output format"}`
	const hello = `"capabilities":{},"clientInfo":{"name":"e2e","version":"1"}`
	return []statement{
		{lines: "5", says: "its purpose names 2024-11-05", differs: "the version of the protocol", only: overLines, method: "initialize", args: `{"protocolVersion":"2024-11-05",` + hello + `}`, want: `{"result":{"protocolVersion":"2024-11-05"}}`},
		{lines: "11, 24-25", says: "2025-11-25, with tools and tasks", only: overLines, method: "initialize", args: `{"protocolVersion":"2025-11-25",` + hello + `}`, want: `{"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"tasks":{}},"serverInfo":{"name":"swiftindex"}}}`},
		{lines: "15", says: "JSON-RPC 2.0", method: "ping", want: `{"jsonrpc":"2.0","result":{}}`},
		{lines: "29-31", says: "each tool has a title, schemas, annotations and icons", method: "tools/list", want: `{"result":{"tools":[` + strings.Replace(all, "true", "false", 1) + strings.Repeat(","+all, 4) + `]}}`},
		{lines: "273-281", says: "the order of the tools", method: "tools/list", want: `{"result":{"tools":[{"name":"index_codebase"},{"name":"search_code"},{"name":"search_docs"},{"name":"code_research"},{"name":"check_indexing_status"}]}}`},
		{lines: "5", says: "a tool that its requirements do not have", differs: "four tools", method: "tools/list", want: `{"result":{"tools":["...",{"name":"check_indexing_status"}]}}`},
		{lines: "273-281", says: "the order stays", method: "tools/list", want: `{"result":{"tools":[{"name":"index_codebase"},{"name":"search_code"},{"name":"search_docs"},{"name":"code_research"},{"name":"check_indexing_status"}]}}`},

		{lines: "43", says: "index_codebase: the description", differs: "Swift in descriptions", method: "tools/list", want: `{"result":{"tools":[{"description":"~^Index a codebase for semantic search"},"..."]}}`},
		schema("44-51", "index_codebase", "its schema", `"inputSchema":{"required":["path"],"properties":{"path":{"type":"string","description":"Absolute path to the directory to index"},
			"force":{"type":"boolean","default":false,"description":"Force re-indexing even if files haven't changed"}}}`),
		schema("84", "search_code", "the description", `"description":"Semantic search in indexed codebase"`),
		schema("85-99", "search_code", "its schema", `"inputSchema":{"required":["query"],"properties":{"query":{"type":"string","description":"Natural language search query or code pattern"},`+path+`,
			"limit":{"type":"integer","default":20},"semantic_weight":{"type":"number"},"extensions":{"type":"string","description":"Filter by file extensions (comma-separated)"},`+filter+`,`+format+`,
			"expand_query":{"type":"boolean","default":false,"description":"Use LLM to expand query"},"synthesize":{"type":"boolean","default":false,"description":"Generate LLM summary"}}}`),
		{lines: "91", says: "search_code: the weight", differs: "semantic_weight", method: "tools/list", want: `{"result":{"tools":["...",{"name":"search_code","inputSchema":{"properties":{"semantic_weight":{"default":0.4,"description":"~^Weight for semantic search \\(0.0-1.0\\).*0\\.4.*0\\.7"}}}},"..."]}}`},
		schema("150", "search_docs", "the description", `"description":"Search indexed documentation using full-text search"`),
		schema("151-161", "search_docs", "its schema", `"inputSchema":{"required":["query"],"properties":{"query":{"type":"string","description":"Natural language search query"},`+path+`,"limit":{"type":"integer","default":10},`+filter+`,`+format+`}}`),
		schema("187", "code_research", "the description", `"description":"~^Deep architectural analysis with multi-hop search"`),
		schema("188-197", "code_research", "its schema", `"inputSchema":{"required":["query"],"properties":{"query":{"type":"string","description":"Research question about codebase"},`+path+`,
			"depth":{"type":"integer","default":2,"minimum":1,"maximum":5},"focus":{"type":"string","enum":["architecture","dependencies","patterns","flow"],"description":"Optional focus area"}}}`),
	}
}

// swiftIndex are the statements about indexing, and about errors.
func swiftIndex() []statement {
	return []statement{
		{lines: "239, 246-247", says: "without an index", tool: "search_code", args: `{"query":"x","path":"{dir}"}`, check: checkNoIndex},
		{lines: "239, 246-247", says: "without an index and git", tool: "search_code", args: `{"query":"x","path":"{dir}/../plain"}`, text: "~^No index found for path: /.*/plain\\. Run 'index_codebase' tool first\\.$"},
		{lines: "239", says: "without an index, of documentation", tool: "search_docs", args: `{"query":"x"}`, check: checkNoIndex},
		{lines: "239", says: "without an index, of research", tool: "code_research", args: `{"query":"x"}`, check: checkNoIndex},
		{lines: "240, 256-257", says: "a required argument", tool: "search_code", want: failsWith("Missing required argument: query")},
		{lines: "240, 256-257", says: "a required argument of search_docs", tool: "search_docs", want: failsWith("Missing required argument: query")},
		{lines: "240, 256-257", says: "a required argument of code_research", tool: "code_research", want: failsWith("Missing required argument: query")},
		{lines: "240, 256-257", says: "a required argument of index_codebase", tool: "index_codebase", want: failsWith("Missing required argument: path")},
		{lines: "241, 251-252", says: "a path that does not exist", tool: "search_code", args: `{"query":"x","path":"/no/such"}`, want: failsWith("Path does not exist or is not a directory: /no/such")},
		{lines: "241, 251-252", says: "the same for index_codebase", tool: "index_codebase", args: `{"path":"/no/such"}`, want: failsWith("Path does not exist or is not a directory: /no/such")},
		{lines: "241", says: "a path that is a file", tool: "index_codebase", args: `{"path":"{dir}/docs/install.md"}`, text: "~^Path does not exist or is not a directory: .*install.md$"},
		{lines: "242", says: "an empty query", tool: "search_code", args: `{"query":" "}`, want: failsWith("Query cannot be empty")},
		{lines: "242", says: "an empty query of search_docs", tool: "search_docs", args: `{"query":" "}`, want: failsWith("Query cannot be empty")},
		{lines: "92-98", says: "limits of numbers", tool: "search_code", args: `{"query":"x","limit":0}`, want: failsWith("Limit must be greater than 0")},
		{lines: "91", says: "the weight is 0 to 1", tool: "search_code", args: `{"query":"x","semantic_weight":1.1}`, want: failsWith("Semantic weight must be between 0.0 and 1.0")},
		{lines: "193", says: "the depth is 1 to 5", tool: "code_research", args: `{"query":"x","depth":6}`, want: failsWith("Depth must be between 1 and 5")},

		{
			lines: "56-58, 264-266", says: "a new folder is indexed, without git, with progress", method: "tools/call",
			args:  `{"name":"index_codebase","arguments":{"path":"{dir}/../plain"},"_meta":{"progressToken":"index"}}`,
			want:  `{"result":{"isError":null,"structuredContent":{"forced":false,"indexed_files":7,"skipped_files":0,"errors":0,"total_files":7}}}`,
			notes: func(t *testing.T, notes []map[string]any) { t.Helper(); checkProgress(t, notes, 7) },
		},
		{lines: "62-64", says: "again: nothing has changed", tool: "index_codebase", args: `{"path":"{dir}/../plain"}`, data: `{"indexed_files":0,"skipped_files":7}`},
		{lines: "62-64", says: "again: one file has changed", first: writesFile("../plain/Sources/App/web.ts", "/** Opens the door. */\nexport function openDoor(): boolean { return false }\n"), tool: "index_codebase", args: `{"path":"{dir}/../plain"}`, data: `{"indexed_files":1,"skipped_files":6}`},
		{lines: "68-70", says: "by force all are read", tool: "index_codebase", args: `{"path":"{dir}/../plain","force":true}`, data: `{"forced":true,"indexed_files":7,"skipped_files":0}`},
		{lines: "88", says: "a folder is searched without git", tool: "search_code", args: `{"query":"open the door","path":"{dir}/../plain","format":"json"}`, data: `{"results":[{"path":"Sources/App/web.ts","symbols":["openDoor"]},"..."]}`},
		{lines: "155", says: "so is its documentation", tool: "search_docs", args: `{"query":"installation","path":"{dir}/../plain","path_filter":"docs/*.md","format":"json"}`, data: `{"results":[{"path":"docs/install.md"}]}`},
		{lines: "56-58", says: "a project is indexed", tool: "index_codebase", args: `{"path":"{dir}"}`, want: `{"result":{"isError":null,"structuredContent":{"errors":0}}}`},
	}
}

// checkNoIndex: the error names the folder and the tool to call first.
func checkNoIndex(t *testing.T, c *seedClient, r seedReply) {
	t.Helper()
	got, want := r.text(), "No index found for path: "+c.project.dir+". Run 'index_codebase' tool first."
	assert.Equal(t, want, got)
}

// checkProgress: progress rises to the number of files.
func checkProgress(t *testing.T, notes []map[string]any, files float64) {
	t.Helper()
	before, total := -1.0, 0.0
	for _, n := range notes {
		if n["method"] != "notifications/progress" {
			continue
		}
		params, _ := n["params"].(map[string]any)
		now, _ := params["progress"].(float64)
		assert.False(t, now <= before, "progress %v follows %v", now, before)
		before = now
		total, _ = params["total"].(float64)
	}
	assert.Equal(t, files, total)
}

// swiftSearch are the statements about questions.
func swiftSearch() []statement {
	paths := func(want ...string) func(*testing.T, *seedClient, seedReply) {
		return func(t *testing.T, _ *seedClient, r seedReply) {
			t.Helper()
			result, _ := r["result"].(map[string]any)
			structured, _ := result["structuredContent"].(map[string]any)
			got := pathsOf(t, structured)
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		}
	}
	inAuth := paths("Sources/Auth/Authenticatable.swift", "Sources/Auth/User.swift")
	return []statement{
		{lines: "105-107", says: "a simple search", tool: "search_code", args: `{"query":"authentication","format":"json"}`, data: `{"query":"authentication","results":[{"path":"~^Sources/","start_line":3,"end_line":3},"..."]}`},
		{lines: "111-112", says: "a limit", tool: "search_code", args: `{"query":"authenticate","limit":2,"format":"json"}`, data: `{"result_count":2,"results":[{},{}]}`},
		{lines: "116-117", says: "a glob of paths", tool: "search_code", args: `{"query":"authenticate","path_filter":"Sources/Auth/**"}`, check: inAuth},
		{lines: "88", says: "a path below", tool: "search_code", args: `{"query":"authenticate","path":"Sources/Auth"}`, check: inAuth},
		{lines: "88", says: "the path is absolute", tool: "search_code", args: `{"query":"authenticate","path":"{dir}/Sources","path_filter":"Auth/**"}`, check: inAuth},
		{lines: "93", says: "the glob is absolute", tool: "search_code", args: `{"query":"authenticate","path_filter":"{dir}/Sources/Auth/*"}`, check: inAuth},
		{lines: "92", says: "file extensions", tool: "search_code", args: `{"query":"authentication","extensions":"ts, .py"}`, check: paths("Sources/App/web.ts")},
		{lines: "91", says: "a weight of its client", tool: "search_code", args: `{"query":"authenticate","semantic_weight":0.7,"format":"json"}`, data: `{"results":[{},"..."]}`},
		{lines: "127-138", says: "the fields of a result", tool: "search_code", args: `{"query":"check the password of a person","format":"json"}`, data: `{"results":[{
			"content":"~return true","path":"Sources/Auth/User.swift","start_line":3,"end_line":4,"kind":"method","symbols":["authenticate"],
			"signature":"func authenticate() -> Bool","breadcrumb":"User > authenticate","doc_comment":"Checks the password of a person."},"..."]}`},
		{lines: "132", says: "the relevance is a percentage", tool: "search_code", args: `{"query":"authenticate","format":"json"}`, check: checkPercentages},
		{lines: "94", says: "TOON", tool: "search_code", args: `{"query":"authenticate","format":"toon"}`, text: "~^search:\n  q: authenticate\n"},
		{lines: "94", says: "for people", tool: "search_code", args: `{"query":"authenticate","format":"human"}`, text: "~^Search: \"authenticate\"\nFound [0-9]+ results\n"},
		{lines: "121-123", says: "help of a model, which there is not here", tool: "search_code", args: `{"query":"authenticate","expand_query":true,"synthesize":true,"format":"json"}`, data: `{"results":[{},"..."],"notices":["~.","..."]}`},

		{lines: "168-170", says: "documentation", tool: "search_docs", args: `{"query":"installation","format":"json"}`, data: `{"results":[{"path":"~^docs/","start_line":1,"end_line":3,"content":"~Installation"},"..."]}`},
		{lines: "174-175", says: "documentation in one folder", tool: "search_docs", args: `{"query":"installation","path_filter":"docs/*.md"}`, check: paths("docs/install.md")},
		{lines: "156", says: "a limit", tool: "search_docs", args: `{"query":"installation","limit":1,"format":"json"}`, data: `{"results":[{}]}`},
		{lines: "158", says: "for people", tool: "search_docs", args: `{"query":"installation","format":"human"}`, text: "~^Documentation Search: \"installation\"\n"},

		{lines: "204-206", says: "implementations, also by extensions", tool: "code_research", args: `{"query":"all implementations of Authenticatable"}`, data: `{"references":["...",{"symbol":"User"},"..."]}`, text: "~Guest.swift"},
		{lines: "210-212", says: "five levels, as a graph", tool: "code_research", args: `{"query":"what calls level0()","depth":5}`, text: `~"level5",\s*"level4",\s*"level3",\s*"level2",\s*"level1",\s*"level0"`, data: `{"depth":5,"graph":"~flowchart"}`},
		{lines: "192", says: "two levels without a depth", tool: "code_research", args: `{"query":"what calls level0()"}`, data: `{"depth":2}`, check: func(t *testing.T, _ *seedClient, r seedReply) {
			t.Helper()
			assert.NotContains(t, r.text(), `"level3"`)
		}},
		{lines: "216-218", says: "architecture", tool: "code_research", args: `{"query":"authenticate","focus":"architecture"}`, data: `{"focus":"architecture","analysis":"~## Parts\n\n- ` + "`Sources/App/`" + `"}`},
		{lines: "216-218", says: "flow", tool: "code_research", args: `{"query":"what calls level1()","focus":"flow"}`, data: `{"focus":"flow"}`, text: "~[Ff]low|→|calls"},
		{lines: "194", says: "an unknown focus", tool: "code_research", args: `{"query":"authenticate","focus":"colour"}`, want: `{"result":{"isError":true}}`},
		{lines: "222-224", says: "callers and their callers", tool: "code_research", args: `{"query":"what calls level1()"}`, data: `{"call_chains":["..."]}`, text: `~"level3",\s*"level2",\s*"level1"`},
		{
			lines: "270-271", says: "progress of each hop", method: "tools/call", args: `{"name":"code_research","arguments":{"query":"what calls level0()","depth":3},"_meta":{"progressToken":7}}`,
			notes: func(t *testing.T, notes []map[string]any) {
				t.Helper()
				assert.Equal(t, 3, strings.Count(fmt.Sprint(notes), "Hop "), "%v", notes)
			},
		},
	}
}

// checkPercentages: relevance is a whole number from 0 to 100 that does not rise.
func checkPercentages(t *testing.T, _ *seedClient, r seedReply) {
	t.Helper()
	found, _ := jsonIn(r.text()).(map[string]any)
	results, _ := found["results"].([]any)
	if len(results) < 2 {
		t.Fatalf("found %s, want more than one", r.text())
	}
	before := 100.0
	for _, each := range results {
		hit, _ := each.(map[string]any)
		percent, isNumber := hit["relevance_percent"].(float64)
		assert.True(t, isNumber, "relevance %v follows %v", hit["relevance_percent"], before)
		assert.False(t, percent < 0, "relevance %v follows %v", hit["relevance_percent"], before)
		assert.False(t, percent > before, "relevance %v follows %v", hit["relevance_percent"], before)
		assert.Equal(t, float64(int(percent)), percent, "relevance %v follows", hit["relevance_percent"])
		before = percent
	}
}

// swiftTasks are the statements about tasks, content and cancelling.
func swiftTasks() []statement {
	return []statement{
		{lines: "286-291, 294", says: "no task yet", method: "tasks/list", want: `{"result":{"tasks":[]}}`},
		{lines: "301-304", says: "a call as a task, by its id", method: "tools/call", args: `{"name":"index_codebase","arguments":{"path":"{dir}"},"task":{"ttl":60000}}`, want: `{"result":{"task":{"taskId":"~.","status":"working"}}}`, check: checkTask},
		{lines: "308-309, 295", says: "an unknown task is not cancelled", method: "tasks/cancel", args: `{"taskId":"unknown"}`, want: `{"error":{"code":-32602}}`},
		{lines: "308-309, 295", says: "a task at work is cancelled", first: writesMany("../large", 3000), method: "tools/call", args: `{"name":"index_codebase","arguments":{"path":"{dir}/../large"},"task":{"ttl":60000}}`, want: `{"result":{"task":{"taskId":"~.","status":"working"}}}`, check: cancelTask},
		{lines: "296", says: "an unknown task has no state", method: "tasks/get", args: `{"taskId":"unknown"}`, want: `{"error":{"code":-32602}}`},
		{lines: "297", says: "an unknown task has no result", method: "tasks/result", args: `{"taskId":"unknown"}`, want: `{"error":{"code":-32602}}`},
		{lines: "20", says: "a cancelled request has no reply of its own", raw: `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4711,"reason":"none"}}`, silent: true},
		{lines: "323", says: "links to the files of matches", tool: "search_code", args: `{"query":"check the password of a person","format":"human","limit":1}`, want: `{"result":{"content":[{"type":"text"},{"type":"resource_link","uri":"~^file:///.*Sources/Auth/User.swift$","name":"Sources/Auth/User.swift","mimeType":"text/plain","description":"~%"}]}}`},
		{lines: "323", says: "links to documentation", tool: "search_docs", args: `{"query":"installation","format":"human","path_filter":"docs/*.md"}`, want: `{"result":{"content":[{"type":"text"},{"type":"resource_link","name":"docs/install.md","mimeType":"text/markdown"}]}}`},
		{lines: "332-333", says: "annotations: audience", tool: "search_code", args: `{"query":"authenticate"}`, want: `{"result":{"content":[{"type":"text","annotations":{"audience":["assistant"]}}]}}`},
		{lines: "332-333", says: "annotations: priority", tool: "search_docs", args: `{"query":"installation","format":"human","limit":1}`, want: `{"result":{"content":[{"annotations":{"audience":["user","assistant"]}},{"annotations":{"audience":["user"],"priority":1}}]}}`},
		{lines: "322, 327-328", says: "audio", differs: "audio", tool: "search_code", args: `{"query":"authenticate"}`, want: `{"result":{"content":[{"type":"text"}]}}`},
		{lines: "233", says: "no tool", method: "tools/call", args: `{"arguments":{}}`, want: `{"error":{"code":-32602,"message":"Missing tool name"}}`},
		{lines: "233", says: "an unknown job", tool: "check_indexing_status", args: `{"task_id":"t1"}`, want: failsWith("Task not found: t1. The task may have expired or the ID is invalid.")},
		{lines: "233", says: "an unknown tool", method: "tools/call", args: `{"name":"no_tool","arguments":{}}`, want: `{"error":{"code":-32602,"message":"Unknown tool: no_tool"}}`},
	}
}

// writesMany returns a step that writes a folder with so many files that indexing it takes longer than a request.
func writesMany(folder string, files int) func(*testing.T, *project) {
	return func(_ *testing.T, p *project) {
		for i := range files {
			p.write(fmt.Sprintf("%s/f%d.swift", folder, i), fmt.Sprintf("/// Door %[1]d.\nfunc door%[1]d() -> Int { return %[1]d }\n", i))
		}
	}
}

// cancelTask: the task ends without a result.
func cancelTask(t *testing.T, c *seedClient, r seedReply) {
	t.Helper()
	result, _ := r["result"].(map[string]any)
	task, _ := result["task"].(map[string]any)
	id := fmt.Sprintf(`{"taskId":%q}`, task["taskId"])
	for _, method := range []string{"tasks/cancel", "tasks/get"} {
		got, _ := c.ask(t, method, id)
		compareJSON(t, method, got, `{"result":{"taskId":"~.","status":"cancelled"}}`)
	}
}

// checkTask: the task can be found, and its result is that of the call.
func checkTask(t *testing.T, c *seedClient, r seedReply) {
	t.Helper()
	result, _ := r["result"].(map[string]any)
	task, _ := result["task"].(map[string]any)
	id := fmt.Sprintf(`{"taskId":%q}`, task["taskId"])
	got, _ := c.ask(t, "tasks/result", id)
	compareJSON(t, "the result", got, `{"result":{"structuredContent":{"errors":0},"_meta":{"io.modelcontextprotocol/related-task":`+id+`}}}`)
	got, _ = c.ask(t, "tasks/get", id)
	compareJSON(t, "the state", got, `{"result":{"taskId":"~.","status":"completed"}}`)
	got, _ = c.ask(t, "tasks/list", `{}`)
	compareJSON(t, "the list", got, `{"result":{"tasks":[`+id+`]}}`)
	got, _ = c.ask(t, "tasks/cancel", id)
	compareJSON(t, "cancelling what has ended", got, `{"error":{"code":-32602}}`)
}
