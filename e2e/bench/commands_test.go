package bench

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// manyCommands is how many commands there are to search in.
const manyCommands = 5_000

// promptsOfCommands and registryOfCommands are where commands are described.
const (
	promptsOfCommands  = ".agent/climpt/prompts"
	registryOfCommands = ".agent/climpt/registry.json"
)

// measureCommands measures searches through a server: the first one, for which it starts and reads all commands, and
// later ones. Git searches the same descriptions.
func measureCommands(b testing.TB, chant string, count, runs, calls int, report func(figure)) {
	b.Helper()
	p := newProject(b, chant, 1, 0)
	p.writeCommands(count)
	p.git("add", "-A")
	p.git("commit", "-q", "-m", "commands")
	measure(p.searches(fmt.Sprintf("%d prompts", count), promptsOfCommands), 0, runs, report)
	p.run(chant, "command", "registry")
	p.git("add", "-A")
	p.git("commit", "-q", "-m", "registry")
	measure(p.searches(fmt.Sprintf("registry of %d", count), registryOfCommands), 0, runs, report)

	s := p.serve("--toolsets", "commands")
	s.searchCommands()
	measure([]row{{name: fmt.Sprintf("MCP commands, next search, registry of %d", count), chant: func(int) sample { return s.searchCommands() },
		reference: "grep", git: p.grepCommands(registryOfCommands)}}, 0, calls, report)
	s.end()
}

// searches lists the row of the first search of a server, which reads the commands from what is named.
func (p *project) searches(of, files string) []row {
	return []row{{name: "MCP commands, start and first search, " + of, chant: func(int) sample {
		start := time.Now()
		s := p.serve("--toolsets", "commands")
		s.searchCommands()
		taken := sample{wall: time.Since(start)}
		s.end()
		return taken
	}, reference: "grep", git: p.grepCommands(files)}}
}

// searchCommands asks a question in the words of the descriptions.
func (s *server) searchCommands() sample {
	s.p.b.Helper()
	return s.call("tools/call", map[string]any{"name": "search", "arguments": map[string]any{"query": "retry the session of a worker", "agent": "climpt"}})
}

// grepCommands has git find the descriptions with one of the words.
func (p *project) grepCommands(files string) func(int) sample {
	return func(int) sample {
		return p.git("grep", "-i", "-e", "retry", "-e", "session", "-e", "worker", "--", files)
	}
}

// writeCommands writes prompts of commands, with descriptions of twelve words.
func (p *project) writeCommands(count int) {
	p.b.Helper()
	random := rand.New(rand.NewPCG(2, uint64(count)))
	for n := range count {
		c1, c2, c3 := words[n%25], words[n/25%40], fmt.Sprintf("%s-%d", words[random.IntN(len(words))], n)
		p.write(fmt.Sprintf("%s/%s/%s/%s/f_default.md", promptsOfCommands, c1, c2, c3),
			fmt.Sprintf("---\nc1: %s\nc2: %s\nc3: %s\ntitle: %s\ndescription: %s\n---\n\n%s.\n\n{input_text}\n",
				c1, c2, c3, sentence(random, 4), sentence(random, 12), sentence(random, 30)))
	}
}
