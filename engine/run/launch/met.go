package launch

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"chant/engine/journal"
	"chant/engine/store"
	"chant/providers"
)

// metFile holds the mark of the run whose agent has asked our MCP server for its tools.
const metFile = "met"

// Met leaves word that the agent of a run has asked our MCP server for its tools. mark is
// that of the run's processes.
func Met(st *store.Store, id, mark string) error {
	_, err := st.WriteCache(id, metFile, []byte(mark+"\n"))
	return err
}

// unmet tells of an agent that was given our MCP server and has never asked it: most
// CLIs go on without a word then.
func (l *Launcher) unmet(launch providers.Launch) error {
	if !launch.Server {
		return nil
	}
	state, err := l.Store.CacheDir(l.Job.ID)
	if err != nil {
		return err
	}
	said, err := os.ReadFile(filepath.Join(state, metFile))
	if err == nil && strings.TrimSpace(string(said)) == l.Job.RunID {
		return nil
	}
	text := fmt.Sprintf("%s has never asked chant's MCP server for its tools: it worked without chant's tools", l.Job.Provider)
	l.Announce(journal.Agent, "warning", "%s", text)
	return l.LogLine(warningPrefix + text)
}
