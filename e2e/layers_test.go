package e2e

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// importRule says what a package may import: ours by path below the module, third
// parties by import path prefix.
type importRule struct {
	ours   []string
	others []string
	// onlyIn allows a standard package only in some files of the package.
	onlyIn map[string][]string
}

const (
	goGit   = "github.com/go-git/"
	mcpGo   = "github.com/mark3labs/mcp-go"
	charm   = "charm.land/"
	cobra   = "github.com/spf13/cobra"
	yamlPkg = "go.yaml.in/yaml/v3"
)

// importTable is the table of imports: what is not listed is forbidden. Each level of the engine may import those below
// it.
func importTable() map[string]importRule {
	leaves := []string{"markdown", "gitops", "gitops/lockfile", "gitops/rootdir", "providers", "providers/cli", "providers/loop", "providers/proxy", "providers/relay", "providers/secret", "providers/wall", "archive"}
	below := append([]string{
		"engine/spec", "engine/spec/fileset", "engine/spec/reviewed", "engine/spec/taskfields", "engine/spec/versions", "engine/adopted", "engine/openspec", "engine/documents", "engine/history", "engine/lookup", "engine/store", "engine/local", "engine/index", "engine/index/record", "engine/stamp", "engine/touched", "engine/config", "engine/journal", "engine/message", "engine/question", "engine/fleet", "engine/fleet/remote", "engine/fleet/pace", "engine/fleet/budget", "engine/criteria", "engine/checktree", "engine/sandbox", "engine/atomicfile", "engine/diskspace", "engine/redo", "engine/realpath", "engine/agentfile", "engine/attest", "engine/keyfile", "engine/fleet/claims", "engine/fleet/forge",
		"engine/ci", "engine/command", "engine/find", "engine/hooks", "engine/lint", "engine/next", "engine/price", "engine/prompt", "engine/schedule", "engine/schema", "engine/shape", "engine/split", "engine/typo",
		"engine/hookfile", "engine/lotar", "engine/speckit", "engine/sprint", "engine/task", "engine/tasklist",
	}, leaves...)
	parts := []string{
		"engine/run/attempt", "engine/run/tree", "engine/run/moves", "engine/run/place", "engine/run/guard", "engine/run/judge", "engine/run/briefing",
		"engine/run/launch", "engine/run/edits", "engine/run/landing",
	}
	used := append(append([]string{"engine", "engine/code", "engine/run", "engine/usage", "engine/agent", "engine/library", "engine/promptfile", "engine/taskboard", "engine/template"}, below...), parts...)
	operations := []string{"engine/setup", "engine/gate", "engine/queue", "engine/view", "engine/review", "engine/author", "engine/work", "engine/verify", "engine/linter", "engine/tasks", "engine/sprints", "engine/exchange", "engine/commands", "engine/assist", "engine/feature", "engine/questions", "engine/keys", "engine/overview", "engine/pages", "engine/undo", "engine/fleets", "engine/fleets/elsewhere"}
	// level is what an operation may import: all below the operations, and those of its siblings that are named.
	level := func(siblings ...string) []string { return slices.Concat(used, []string{"engine/advice"}, siblings) }
	yaml := []string{yamlPkg}
	return map[string]importRule{
		"cmd/chant":       {ours: []string{"cmd"}},
		"cmd/chant-fleet": {ours: []string{"cmd", "engine/fleets/embedded", "engine/fleets/telemetry"}},
		"cmd": {
			// criteria, lint, report and usage for the types that results are made of
			ours: append([]string{
				"engine", "engine/lookup", "engine/next", "engine/spec", "engine/atomicfile", "engine/criteria", "engine/lint", "engine/proposal", "engine/report", "engine/usage",
				"cmd/wizard", "mcp", "cmd/pages", "cmd/board", "cmd/console", "cmd/console/screen", "cmd/checks", "cmd/code", "cmd/commands", "cmd/feature", "cmd/fleet", "cmd/offers", "cmd/overview", "cmd/reviews", "cmd/runs", "cmd/tasks", "providers/loop", "providers/relay", "providers/wall",
			}, operations...),
			others: []string{cobra, "github.com/spf13/pflag"},
			onlyIn: map[string][]string{"os/exec": {"editor.go"}},
		},
		// criteria, journal and verify for the types of surroundings and verdicts, view to complete ids
		"cmd/console": {
			ours:   []string{"cmd/console/screen", "engine", "engine/fleets", "engine/next", "engine/atomicfile", "engine/criteria", "engine/journal", "engine/verify", "engine/view"},
			others: []string{cobra, charm + "fang/v2", "github.com/charmbracelet/x/term"},
		},
		"cmd/console/screen": {
			ours:   []string{"engine/when", "cmd/tui/prose"},
			others: []string{"github.com/charmbracelet/colorprofile", "github.com/charmbracelet/x/ansi"},
			onlyIn: map[string][]string{"os/exec": {"pager.go"}},
		},
		"cmd/checks": {
			ours:   append([]string{"engine", "engine/next", "engine/atomicfile", "engine/criteria", "engine/lint", "engine/report", "cmd/console"}, operations...),
			others: []string{cobra},
		},
		"cmd/runs": {
			ours:   append([]string{"engine", "engine/next", "engine/criteria", "engine/usage", "providers", "cmd/board", "cmd/console", "cmd/console/screen", "cmd/tui", "cmd/wizard"}, operations...),
			others: []string{cobra, charm + "bubbletea/v2"},
		},
		"cmd/fleet":  {ours: []string{"engine", "engine/fleet", "engine/fleet/unit", "engine/fleets", "engine/next", "cmd/console", "providers"}, others: []string{cobra, "github.com/spf13/pflag"}},
		"cmd/offers": {ours: append([]string{"engine", "engine/spec", "cmd/console", "mcp", "providers/text"}, operations...), others: []string{cobra, "github.com/spf13/pflag"}},
		// reviewed for the comments that results have
		"cmd/reviews": {ours: []string{"engine", "engine/next", "engine/review", "engine/spec/reviewed", "engine/view", "cmd/console", "cmd/console/screen", "cmd/wizard"}, others: []string{cobra}},
		"cmd/wizard":  {ours: []string{"engine", "engine/author", "engine/next", "engine/proposal", "engine/review", "engine/setup", "engine/spec/reviewed", "engine/view", "providers", "cmd/console"}, others: []string{"charm.land/huh/v2", cobra, "github.com/spf13/pflag"}, onlyIn: map[string][]string{"os/exec": {"add.go"}}},
		"cmd/commands": {
			ours:   append([]string{"engine", "engine/next", "engine/command", "cmd/console"}, operations...),
			others: []string{cobra, "github.com/atotto/clipboard", "github.com/charmbracelet/x/ansi"},
			onlyIn: map[string][]string{"github.com/atotto/clipboard": {"copy.go"}},
		},
		// the types that results are made of, and view to complete labels
		"cmd/pages": {
			ours:   []string{"engine", "engine/lookup", "site/build", "site/serve", "cmd/console"},
			others: []string{cobra},
			onlyIn: map[string][]string{"os/exec": {"browser.go"}},
		},
		"cmd/overview": {
			ours:   []string{"engine", "engine/next", "engine/activity", "engine/dag", "engine/overview", "engine/stats", "engine/view", "engine/when", "cmd/console"},
			others: []string{cobra, "github.com/charmbracelet/x/ansi"},
		},
		"cmd/feature": {ours: append([]string{"engine", "engine/next", "cmd/console", "providers/text"}, operations...), others: []string{cobra}},
		"cmd/tasks": {
			ours:   append([]string{"engine", "engine/next", "engine/atomicfile", "engine/picture", "engine/sprint", "engine/task", "cmd/console"}, operations...),
			others: []string{cobra, "github.com/guptarohit/asciigraph"},
			onlyIn: map[string][]string{"github.com/guptarohit/asciigraph": {"chart.go"}},
		},
		// lookup for what the operations remember between reloads
		"cmd/board": {
			ours:   append([]string{"engine", "engine/lookup", "engine/next", "cmd/console", "cmd/tui/board"}, operations...),
			others: []string{cobra, charm + "bubbletea/v2"},
			onlyIn: map[string][]string{"os/exec": {"terminal.go"}},
		},
		// the operations' results are what it shows; dag and question for values in them
		"cmd/tui/board": {
			ours:   []string{"engine", "engine/criteria", "engine/dag", "engine/overview", "engine/question", "engine/undo", "engine/view", "cmd/tui/ink", "cmd/tui/prose"},
			others: []string{charm + "bubbletea/v2", "github.com/charmbracelet/x/ansi"},
		},
		"cmd/tui/ink":   {ours: []string{"providers/text"}, others: []string{"github.com/charmbracelet/x/ansi"}},
		"cmd/tui/prose": {ours: []string{"cmd/tui/ink"}, others: []string{"github.com/yuin/goldmark"}},
		"cmd/tui": {
			ours:   []string{"engine", "engine/spec"},
			others: []string{charm + "bubbletea/v2", charm + "lipgloss/v2", "github.com/charmbracelet/x/", "github.com/charmbracelet/colorprofile"},
		},
		// pages about specs: engine/pages and the packages below for what they show
		"site":           {ours: []string{"engine/attest", "engine/criteria", "engine/dag", "engine/pages", "engine/picture", "engine/spec", "engine/spec/taskfields", "site/prose"}},
		"site/build":     {ours: []string{"engine", "engine/next", "engine/pages", "engine/spec", "engine/store", "site"}},
		"site/highlight": {others: []string{"github.com/alecthomas/chroma/v2"}},
		"site/prose":     {ours: []string{"markdown", "site/highlight"}, others: []string{"github.com/yuin/goldmark"}},
		// store for the paths of logs and journals, question and usage for the types of results
		"site/serve": {ours: append([]string{"engine", "engine/next", "engine/question", "engine/spec", "engine/store", "engine/task", "engine/usage", "site"}, operations...)},
		"mcp": {
			ours: append([]string{
				"engine", "engine/next", "engine/spec",
				"mcp/asking", "mcp/catalog", "mcp/code", "mcp/content", "mcp/feature", "mcp/events", "mcp/framing", "mcp/prompts", "mcp/resources", "mcp/taskrun", "mcp/toolset", "mcp/specs", "mcp/tasks", "mcp/commands", "mcp/process", "mcp/watching", "mcp/web",
			}, operations...),
			others: []string{mcpGo},
		},
		"mcp/asking":  {ours: []string{"engine", "engine/next", "engine/question", "engine/questions", "mcp/toolset"}},
		"mcp/catalog": {ours: []string{"engine", "engine/next", "engine/spec", "mcp/toolset"}},
		"mcp/code":    {ours: []string{"engine", "engine/assist", "engine/code", "engine/code/rank", "engine/next", "mcp/toolset", "toon"}, others: []string{"github.com/google/jsonschema-go"}},
		// library for the errors that clients of climpt know
		"mcp/commands":  {ours: []string{"engine", "engine/commands", "engine/library", "engine/next", "mcp/toolset"}, others: []string{"github.com/google/jsonschema-go"}},
		"mcp/content":   {ours: []string{"mcp/toolset"}, others: []string{mcpGo}},
		"mcp/events":    {others: []string{mcpGo}},
		"mcp/feature":   {ours: []string{"engine", "engine/feature", "engine/next", "engine/spec", "mcp/asking", "mcp/toolset"}},
		"mcp/framing":   {},
		"mcp/lists":     {ours: []string{"engine", "engine/view"}, others: []string{mcpGo}},
		"mcp/prompts":   {ours: []string{"engine", "engine/author", "engine/command", "engine/commands", "engine/library", "engine/prompt", "engine/template", "mcp/lists"}, others: []string{mcpGo}},
		"mcp/resources": {ours: []string{"engine", "engine/spec", "engine/author", "engine/view", "mcp/lists"}, others: []string{mcpGo}},
		"mcp/taskrun":   {},
		"mcp/toolset":   {ours: []string{"engine", "engine/next", "engine/spec"}, others: []string{"github.com/google/jsonschema-go"}},
		"mcp/process":   {},
		"mcp/watching":  {ours: []string{"mcp/toolset"}},
		// engine and next for the errors of an address
		"mcp/web": {ours: []string{"engine", "engine/next"}},
		// stands in for a module that mcp-go imports, and imports nothing
		"mcp/novalidator": {},
		// a module of its own: generated, with the program that packs its tables
		"grammars":            {ours: []string{"grammars/treesitter"}},
		"grammars/pack":       {},
		"grammars/treesitter": {},
		"mcp/specs":           {ours: append([]string{"engine", "engine/next", "engine/question", "engine/spec", "mcp/asking", "mcp/toolset"}, operations...)},
		// task for the errors that clients of lotar know
		"mcp/tasks": {ours: append([]string{"engine", "engine/taskboard", "engine/task", "mcp/toolset"}, operations...)},

		"engine/setup":            {ours: level("engine/exchange", "engine/proposal", "engine/gate", "engine/linter", "engine/author", "engine/work", "engine/view"), others: yaml},
		"engine/queue":            {ours: level("engine/work", "engine/verify", "engine/fleets", "engine/fleets/dispatch")},
		"engine/view":             {ours: level("engine/work", "engine/verify", "engine/questions"), others: yaml},
		"engine/review":           {ours: level("engine/author")},
		"engine/author":           {ours: level("engine/work", "engine/verify", "engine/linter"), others: yaml},
		"engine/work":             {ours: level("engine/verify", "engine/linter")},
		"engine/gate":             {ours: level("engine/verify", "engine/linter")},
		"engine/verify":           {ours: level()},
		"engine/fleets":           {ours: level("engine/fleets/leader", "engine/fleets/mirror", "engine/fleets/worker", "engine/fleet/jetstream", "engine/fleet/subject")},
		"engine/fleets/embedded":  {ours: []string{"engine/fleets", "engine/fleet/hub"}},
		"engine/fleets/dispatch":  {ours: level("engine/fleets", "engine/work")},
		"engine/fleets/elsewhere": {ours: level("engine/fleets", "engine/fleets/mirror", "engine/questions", "engine/work")},
		"engine/fleets/leader":    {ours: level("engine/work")},
		"engine/fleets/mirror":    {ours: level()},
		"engine/fleets/worker":    {ours: level("engine/fleet/budget", "engine/questions", "engine/work")},
		"engine/exchange":         {ours: level("engine/tasks"), others: yaml},
		"engine/commands":         {ours: level("engine/author")},
		"engine/assist":           {ours: level()},
		"engine/linter":           {ours: level()},
		"engine/pages":            {ours: level("engine/verify")},
		"engine/undo":             {ours: level()},
		"engine/questions":        {ours: level()},
		"engine/keys":             {ours: level()},
		"engine/overview":         {ours: level("engine/activity", "engine/dag", "engine/stats", "engine/tally", "engine/when")},
		"engine/feature":          {ours: level("engine/author", "engine/questions", "engine/view")},
		"engine/sprints":          {ours: level("engine/tasks")},
		"engine/tasks":            {ours: level("engine/author", "engine/work")},
		// only chant-fleet has these libraries, as with the server
		"engine/fleets/telemetry": {
			ours:   []string{"engine", "engine/fleet", "engine/fleets", "engine/spec"},
			others: []string{"github.com/prometheus/client_golang", "go.opentelemetry.io/otel"},
		},

		"engine/advice":     {ours: used},
		"engine/usage":      {ours: append([]string{"engine", "engine/fleet/budget", "engine/run"}, slices.Concat(below, parts)...)},
		"engine/agent":      {ours: append([]string{"engine", "engine/library", "engine/promptfile"}, below...)},
		"engine/library":    {ours: append([]string{"engine", "engine/find", "engine/find/words", "engine/promptfile", "engine/template"}, below...)},
		"engine/promptfile": {ours: append([]string{"engine"}, below...)},
		"engine/taskboard":  {ours: append([]string{"engine"}, below...)},
		"engine/template":   {ours: append([]string{"engine"}, below...), others: yaml},
		// the parts of a run, each above those that its line names
		"engine/run/attempt":  {ours: below},
		"engine/run/tree":     {ours: append([]string{"engine/run/attempt"}, below...)},
		"engine/run/edits":    {ours: append([]string{"engine/run/attempt", "engine/run/tree", "engine/run/moves"}, below...)},
		"engine/run/briefing": {ours: append([]string{"engine/run/attempt"}, below...)},
		"engine/run/moves":    {ours: append([]string{"engine/run/attempt", "engine/run/tree"}, below...)},
		"engine/run/place":    {ours: append([]string{"engine/run/attempt", "engine/run/tree", "engine/run/moves"}, below...)},
		"engine/run/guard":    {ours: append([]string{"engine/run/attempt", "engine/run/tree", "engine/run/moves", "engine/run/place"}, below...)},
		"engine/run/judge":    {ours: append([]string{"engine/run/attempt", "engine/run/tree", "engine/run/place", "engine/run/guard"}, below...)},
		"engine/run/launch":   {ours: append([]string{"engine/run/attempt", "engine/run/tree", "engine/run/place", "engine/run/guard", "engine/run/briefing"}, below...)},
		"engine/run/landing":  {ours: append([]string{"engine/run/attempt", "engine/run/tree", "engine/run/place", "engine/run/guard", "engine/run/judge"}, below...)},
		"engine/run":          {ours: append([]string{"engine", "engine/code"}, slices.Concat(below, parts)...)},

		"engine":                   {ours: below, others: yaml},
		"engine/run/runtest":       {ours: []string{"engine", "engine/enginetest", "engine/journal", "engine/run", "engine/run/attempt", "engine/spec", "engine/store"}},
		"engine/fleets/fleetstest": {ours: []string{"engine", "engine/enginetest", "engine/fleet", "engine/fleet/budget", "engine/fleet/fleettest", "engine/fleet/hub", "engine/fleet/jetstream", "engine/fleet/pace", "engine/fleet/remote", "engine/fleet/subject", "gitops"}},
		"engine/enginetest":        {ours: []string{"engine", "engine/store"}, onlyIn: map[string][]string{"os/exec": {"files.go"}}},
		"engine/diskspace":         {},
		"engine/config":            {ours: []string{"engine/lint", "engine/price", "engine/schedule", "engine/shape", "engine/spec", "engine/store", "engine/task", "markdown", "providers", "providers/cli", "providers/proxy", "providers/secret"}, others: yaml},
		"engine/checktree":         {ours: []string{"engine/journal", "engine/next", "engine/realpath", "engine/spec", "engine/store", "gitops", "gitops/rootdir", "providers"}},
		"engine/sandbox":           {ours: []string{"engine/checktree", "engine/config", "engine/journal", "engine/keyfile", "engine/local", "engine/next", "engine/realpath", "engine/spec", "engine/store", "gitops", "gitops/layout", "gitops/rootdir", "providers", "providers/proxy", "providers/wall"}, others: []string{"golang.org/x/sys/unix"}, onlyIn: map[string][]string{"os/exec": {"git.go", "gnupg.go"}}},
		"engine/journal":           {ours: []string{"engine/criteria", "engine/next", "engine/schema", "engine/spec", "engine/store", "providers"}},
		"engine/criteria":          {ours: []string{"engine/attest", "engine/realpath", "engine/stamp", "engine/spec", "engine/schema", "providers", "providers/secret", "providers/wall"}, others: []string{"golang.org/x/sys/unix"}},
		"engine/realpath":          {},
		"engine/redo":              {},
		// crypto/ssh for keys of OpenSSH
		"engine/attest":            {others: []string{"github.com/secure-systems-lab/go-securesystemslib/dsse", "golang.org/x/crypto/ssh"}},
		"engine/keyfile":           {ours: []string{"engine/attest", "gitops", "providers"}, others: []string{"golang.org/x/crypto/ssh"}},
		"engine/atomicfile":        {others: []string{"github.com/google/renameio/v2"}},
		"engine/ci":                {},
		"engine/find":              {ours: []string{"engine/find/words", "engine/packed"}},
		"engine/code/chunk":        {},
		"engine/code":              {ours: append([]string{"engine", "engine/code/chunk", "engine/code/corpus", "engine/code/embed", "engine/code/embed/remote", "engine/code/exact", "engine/code/gotypes", "engine/code/graph", "engine/code/outline", "engine/code/rank", "engine/code/shelf"}, below...), others: []string{"github.com/bmatcuk/doublestar"}},
		"engine/code/corpus":       {ours: []string{"engine/packed", "engine/stamp", "gitops"}, others: []string{"github.com/bmatcuk/doublestar"}},
		"engine/code/graph":        {ours: []string{"engine/code/chunk", "engine/code/exact"}},
		"engine/code/exact":        {ours: []string{"engine/code/chunk", "engine/packed"}},
		"engine/code/gotypes":      {ours: []string{"engine/code/chunk", "engine/code/exact", "providers"}, onlyIn: map[string][]string{"os/exec": {"list.go"}}},
		"engine/code/outline":      {ours: []string{"engine/code/chunk", "engine/code/gofile", "engine/code/scan", "engine/code/syntax", "engine/packed"}, others: []string{"github.com/yuin/goldmark"}},
		"engine/code/shelf":        {ours: []string{"engine/code/chunk", "engine/code/corpus", "engine/code/embed", "engine/code/exact", "engine/code/outline", "engine/code/rank", "engine/find", "engine/index", "engine/index/record", "engine/packed", "gitops", "gitops/lockfile"}},
		"cmd/code":                 {ours: []string{"cmd/console", "cmd/console/screen", "engine", "engine/assist", "engine/code", "engine/setup", "providers/text"}, others: []string{cobra}},
		"engine/code/bench":        {},
		"engine/code/embed":        {ours: []string{"engine/find/words", "engine/packed"}},
		"engine/code/embed/remote": {ours: []string{"engine/code/embed", "providers/secret"}},
		"engine/code/rank":         {ours: []string{"engine/code/chunk", "engine/code/embed", "engine/find"}},
		"engine/code/gofile":       {ours: []string{"engine/code/chunk"}},
		"engine/find/words":        {others: []string{"github.com/kljensen/snowball/english", "golang.org/x/text/unicode/norm"}},
		"engine/hookfile":          {ours: []string{"markdown"}, others: yaml},
		"engine/hooks":             {},
		"engine/agentfile":         {others: []string{"github.com/tailscale/hujson", "github.com/pelletier/go-toml/v2"}},
		"engine/command":           {ours: []string{"markdown"}, others: yaml},
		"engine/openspec":          {ours: []string{"engine/openspec/ecma", "engine/openspec/folder", "engine/openspec/tasklist"}},
		"engine/openspec/ecma":     {},
		"engine/openspec/folder":   {ours: []string{"engine/openspec/ecma", "engine/openspec/tasklist"}, others: []string{"github.com/bmatcuk/doublestar/v4", yamlPkg}, onlyIn: map[string][]string{"github.com/bmatcuk/doublestar/v4": {"schema.go"}}},
		"engine/openspec/tasklist": {ours: []string{"engine/openspec/ecma"}},
		"engine/prompt":            {ours: []string{"markdown"}},
		"engine/schedule":          {ours: []string{"engine/spec", "engine/spec/fileset"}},
		"engine/lint":              {ours: []string{"engine/fleet", "engine/next", "engine/spec", "engine/spec/fileset", "engine/spec/reviewed", "engine/spec/taskfields", "engine/task", "engine/typo", "markdown"}},
		"engine/next":              {},
		"engine/price":             {ours: []string{"providers"}},
		"engine/report":            {},
		"engine/schema":            {},
		"engine/shape":             {ours: []string{"markdown"}, others: []string{yamlPkg}},
		"engine/split":             {ours: []string{"engine/spec", "engine/spec/reviewed", "engine/schema", "markdown"}},
		"engine/stamp":             {others: []string{"golang.org/x/sys/unix"}},
		"engine/touched":           {ours: []string{"engine/spec", "engine/spec/fileset", "engine/store", "gitops"}, others: []string{"golang.org/x/text/cases", "golang.org/x/text/unicode/norm"}},
		"engine/lookup":            {ours: []string{"engine/spec", "engine/store"}},
		"engine/history":           {ours: []string{"engine/index/record", "engine/message", "engine/spec", "engine/spec/taskfields", "engine/store", "engine/task", "gitops", "markdown"}, others: yaml},
		"engine/index":             {ours: []string{"engine/packed", "engine/stamp", "gitops/layout"}, others: []string{"modernc.org/sqlite", "golang.org/x/sys/unix"}},
		"engine/index/record":      {ours: []string{"engine/packed"}},
		"engine/packed":            {},
		"engine/picture":           {},
		"engine/when":              {},
		"engine/stats":             {ours: []string{"engine/picture", "engine/when"}},
		"engine/tally":             {ours: []string{"engine/criteria", "engine/index/record", "engine/journal", "engine/stamp", "engine/stats", "engine/store"}},
		"engine/activity":          {ours: []string{"archive", "engine/message", "gitops"}},
		"engine/fleet":             {},
		"engine/fleet/remote":      {ours: []string{"engine/fleet", "engine/spec", "engine/store", "gitops"}},
		"engine/fleet/claims":      {ours: []string{"engine/fleet", "engine/fleet/remote", "gitops", "engine/atomicfile"}},
		"engine/fleet/pace":        {ours: []string{"engine/fleet"}},
		"engine/fleet/subject":     {ours: []string{"engine/fleet"}},
		// gh and glab are started by providers, as the commands of criteria are
		"engine/fleet/forge": {ours: []string{"providers", "providers/secret"}},
		// jetstream is the client of NATS, and hub the server; what they agree upon is in subject
		"engine/fleet/jetstream": {ours: []string{"engine/fleet", "engine/fleet/subject"}, others: []string{"github.com/nats-io/nats.go", "github.com/nats-io/nkeys"}},
		"engine/fleet/hub":       {ours: []string{"engine/fleet", "engine/fleet/subject"}, others: []string{"github.com/nats-io/nats-server/v2/server", "github.com/nats-io/nkeys"}},
		"engine/fleet/fleettest": {ours: []string{"engine/fleet"}},
		"engine/dag":             {ours: []string{"engine/picture", "engine/spec"}},
		"engine/documents":       {ours: []string{"engine/local", "engine/find", "engine/index", "engine/spec", "engine/spec/taskfields", "engine/stamp", "engine/store", "gitops/lockfile", "markdown"}},
		"engine/message":         {ours: []string{"engine/spec", "gitops"}},
		"engine/question":        {ours: []string{"engine/atomicfile", "engine/local", "gitops/layout", "gitops/lockfile"}, others: []string{"github.com/fsnotify/fsnotify"}, onlyIn: map[string][]string{"github.com/fsnotify/fsnotify": {"changes.go"}}},
		"engine/local":           {ours: []string{"engine/atomicfile", "gitops/layout", "gitops/lockfile"}},
		"engine/store":           {ours: []string{"engine/adopted", "engine/local", "engine/message", "engine/atomicfile", "engine/redo", "engine/index", "engine/index/record", "engine/realpath", "engine/spec", "engine/stamp", "markdown", "gitops", "gitops/lockfile", "gitops/rootdir", "archive"}, others: []string{"github.com/fsnotify/fsnotify"}, onlyIn: map[string][]string{"github.com/fsnotify/fsnotify": {"changes.go"}}},
		"engine/typo":            {},
		"engine/proposal":        {},
		"engine/spec":            {ours: []string{"engine/next", "engine/spec/fileset", "engine/spec/taskfields", "engine/typo", "markdown"}, others: []string{"github.com/looplab/fsm", yamlPkg}, onlyIn: map[string][]string{"github.com/looplab/fsm": {"machine.go"}}},
		"engine/spec/fileset":    {others: []string{"github.com/bmatcuk/doublestar/v4", yamlPkg}, onlyIn: map[string][]string{"github.com/bmatcuk/doublestar/v4": {"match.go"}}},
		"engine/spec/taskfields": {ours: []string{"markdown"}, others: yaml},
		"engine/spec/reviewed":   {ours: []string{"engine/spec", "markdown"}},
		"engine/spec/versions":   {ours: []string{"engine/spec", "engine/spec/reviewed", "markdown"}, others: yaml},
		"engine/code/syntax":     {ours: []string{"engine/code/chunk", "grammars"}},
		"engine/code/scan":       {ours: []string{"engine/code/chunk"}},
		"engine/fleet/budget":    {ours: []string{"engine/fleet"}},
		"engine/fleet/unit":      {},

		"engine/lotar":  {ours: []string{"engine/spec/taskfields", "engine/sprint", "engine/task", "markdown"}, others: yaml},
		"engine/sprint": {ours: []string{"engine/spec", "engine/task", "markdown"}, others: yaml},
		"engine/task":   {ours: []string{"engine/spec", "engine/spec/reviewed", "engine/spec/taskfields", "markdown"}},
		// for the boxes and headings of task lists
		"engine/adopted":  {ours: []string{"engine/openspec", "engine/spec", "engine/speckit", "engine/tasklist"}},
		"engine/tasklist": {ours: []string{"markdown"}},
		// tasklist for stories and checklists
		"engine/speckit": {ours: []string{"engine/tasklist", "markdown"}},

		"markdown": {others: []string{"github.com/yuin/goldmark", "github.com/adrg/frontmatter", yamlPkg}},
		// Callers import gitops, whose Repo has the methods of the rest, and gitops/lockfile and gitops/rootdir, whose locks and folders belong to no
		// repository. Only gitops imports the rest, so that the work can be divided otherwise without
		// a change for callers. Only gitexec starts git.
		"gitops": {ours: []string{
			"gitops/committer", "gitops/gitconfig", "gitops/gitexec", "gitops/gitindex", "gitops/layout", "gitops/lockfile",
			"gitops/merging", "gitops/nestedrepo", "gitops/objectstore", "gitops/refstore", "gitops/revision", "gitops/rootdir", "gitops/worktrees",
		}},
		"gitops/committer": {ours: []string{
			"gitops/gitconfig", "gitops/gitexec", "gitops/gitindex", "gitops/layout", "gitops/lockfile", "gitops/objectstore", "gitops/refstore", "gitops/revision", "gitops/rootdir",
		}},
		"gitops/merging":     {ours: []string{"gitops/gitconfig", "gitops/gitexec", "gitops/gitindex", "gitops/layout", "gitops/refstore", "gitops/revision"}},
		"gitops/worktrees":   {ours: []string{"gitops/gitconfig", "gitops/gitexec", "gitops/layout", "gitops/lockfile", "gitops/objectstore", "gitops/refstore", "gitops/revision", "gitops/rootdir"}},
		"gitops/nestedrepo":  {ours: []string{"gitops/gitexec", "gitops/gitindex", "gitops/layout", "gitops/objectstore", "gitops/refstore", "gitops/rootdir"}, others: []string{goGit}},
		"gitops/gitindex":    {ours: []string{"gitops/gitconfig", "gitops/gitexec", "gitops/layout", "gitops/objectstore", "gitops/refstore", "gitops/revision", "gitops/rootdir"}, others: []string{goGit}},
		"gitops/gitconfig":   {ours: []string{"gitops/gitexec", "gitops/layout", "gitops/refstore"}},
		"gitops/revision":    {ours: []string{"gitops/gitexec", "gitops/layout", "gitops/objectstore", "gitops/refstore"}},
		"gitops/objectstore": {ours: []string{"gitops/gitexec", "gitops/layout"}, others: []string{goGit}},
		"gitops/refstore":    {ours: []string{"gitops/gitexec", "gitops/layout", "gitops/rootdir"}},
		"gitops/gitexec":     {onlyIn: map[string][]string{"os/exec": {"git.go"}}},
		"gitops/layout":      {ours: []string{"gitops/rootdir"}, others: []string{goGit}},
		"gitops/rootdir":     {},
		"gitops/lockfile":    {ours: []string{"gitops/layout"}, others: []string{"github.com/gofrs/flock"}},
		"providers":          {ours: []string{"providers/secret", "providers/wall"}, onlyIn: map[string][]string{"os/exec": {"run.go"}}},
		"providers/cli":      {ours: []string{"providers", "providers/loop"}},
		"providers/loop":     {ours: []string{"providers", "providers/secret"}, others: []string{"github.com/bmatcuk/doublestar/v4"}, onlyIn: map[string][]string{"github.com/bmatcuk/doublestar/v4": {"glob.go"}}},
		"providers/relay":    {ours: []string{"providers"}, others: []string{"golang.org/x/sys/unix"}},
		"providers/secret":   {},
		"providers/proxy":    {others: []string{"code.dny.dev/ssrf", "golang.org/x/net/netutil"}},
		"providers/wall":     {others: []string{"github.com/landlock-lsm/go-landlock/landlock/syscall", "golang.org/x/sys/unix"}, onlyIn: map[string][]string{"os/exec": {"wall_linux.go", "network_linux.go", "warden_linux.go", "wall_darwin.go", "wall_other.go"}, "syscall": {"wall_linux.go", "network_linux.go", "warden_linux.go", "capabilities_linux.go"}}},
		"providers/text":     {},
		"archive":            {},
		"toon":               {},
		"e2e":                {},
		"e2e/bench":          {},
		"e2e/fakemodel":      {},
		"e2e/killable":       {},
	}
}

// pure lists packages without side effects, with the imports that this forbids.
func pure() map[string][]string {
	none := []string{"os", "os/exec", "os/user", "os/signal", "net", "net/http", "io/ioutil", "syscall", "math/rand", "math/rand/v2", "crypto/rand"}
	names := strings.Fields(`
		archive engine/adopted engine/agentfile engine/attest engine/ci engine/code/embed engine/code/exact
		engine/code/gofile engine/code/graph engine/code/rank engine/command engine/dag engine/find engine/find/words
		engine/fleet engine/fleet/pace engine/fleet/subject
		engine/fleet engine/fleet/budget engine/fleet/pace engine/fleet/unit
		engine/hookfile engine/hooks engine/lint engine/next engine/openspec engine/openspec/ecma
		engine/openspec/folder engine/openspec/tasklist engine/packed engine/picture engine/price engine/prompt
		engine/proposal engine/report engine/schedule engine/schema engine/shape engine/spec
		engine/spec/fileset engine/spec/reviewed engine/spec/taskfields engine/spec/versions engine/speckit engine/split engine/sprint
		engine/stats engine/task engine/tasklist engine/typo engine/when markdown providers/secret providers/text
		site site/prose toon`)
	out := map[string][]string{}
	for _, name := range names {
		out[name] = none
	}
	return out
}

// banned lists names that say nothing about what is inside.
func banned() []string {
	return []string{"util", "utils", "common", "helper", "helpers", "misc", "base", "manager", "service", "types", "shared", "internal"}
}

const root = ".."

// TestLayers_imports checks every import of every non-test file.
func TestLayers_imports(t *testing.T) {
	t.Parallel()
	table := importTable()
	for dir, files := range goFiles(t) {
		rule, known := table[dir]
		if !known {
			t.Errorf("package %q is missing in the table of imports: add it, with a reason", dir)
			continue
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(dir, "e2e") {
				continue
			}
			for _, imp := range importsOf(t, path.Join(dir, name)) {
				if why := rule.whyForbidden(dir, name, imp); why != "" {
					t.Errorf("%s/%s imports %q: %s", dir, name, imp, why)
				}
			}
		}
	}
}

func (r importRule) whyForbidden(dir, file, imp string) string {
	if files, limited := r.onlyIn[imp]; limited && !slices.Contains(files, file) {
		return "only " + strings.Join(files, ", ") + " may"
	}
	if imp == "os/exec" && r.onlyIn[imp] == nil {
		return "this package starts no processes"
	}
	if slices.Contains(pure()[dir], imp) {
		return "this package is pure"
	}
	if own, ok := strings.CutPrefix(imp, "chant/"); ok {
		if own == "providers/text" {
			return "" // a leaf for everyone: how a text fits a line, a bound and a terminal
		}
		if !slices.Contains(r.ours, own) {
			return "not in the table of imports for this package"
		}
		return ""
	}
	if !strings.Contains(strings.Split(imp, "/")[0], ".") {
		return "" // the standard library
	}
	if !slices.ContainsFunc(r.others, func(p string) bool { return strings.HasPrefix(imp, p) }) {
		return "a third-party package that is not in the table"
	}
	return ""
}

// TestLayers_packages checks that every package says what it is, and that no
// folder or file has a name that says nothing.
func TestLayers_packages(t *testing.T) {
	t.Parallel()
	for dir, files := range goFiles(t) {
		if slices.Contains(banned(), path.Base(dir)) {
			t.Errorf("folder %q says nothing about what is inside", dir)
		}
		documented := false
		for _, name := range files {
			if slices.Contains(banned(), strings.TrimSuffix(strings.TrimSuffix(name, ".go"), "_test")) {
				t.Errorf("file %s/%s says nothing about what is inside", dir, name)
			}
			f := parse(t, path.Join(dir, name), parser.ParseComments|parser.PackageClauseOnly)
			documented = documented || f.Doc.Text() != "" && !strings.HasSuffix(name, "_test.go")
		}
		if !documented {
			t.Errorf("package %q has no package comment", dir)
		}
	}
}

// goFiles maps every folder with Go files to their names.
func goFiles(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && name != root && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata" || entry.Name() == "node_modules") {
			return fs.SkipDir
		}
		if strings.HasSuffix(name, ".go") {
			dir, err := filepath.Rel(root, filepath.Dir(name))
			if err != nil {
				return err
			}
			dir = filepath.ToSlash(dir)
			found[dir] = append(found[dir], entry.Name())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func importsOf(t *testing.T, file string) []string {
	t.Helper()
	var out []string
	for _, imp := range parse(t, file, parser.ImportsOnly).Imports {
		out = append(out, strings.Trim(imp.Path.Value, `"`))
	}
	return out
}

func parse(t *testing.T, file string, mode parser.Mode) *ast.File {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, src, mode)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
