package launch

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"chant/engine/evidence/journal"
	"chant/engine/store"
	"chant/providers"
)

// metFile holds the mark of the run whose agent has used chant's MCP server.
const metFile = "met"

// Met records that the agent of a run has asked chant's MCP server for its tools, or called one. mark is that of the run's processes.
func Met(st *store.Store, id, mark string) error {
	_, err := st.WriteCache(id, metFile, []byte(mark+"\n"))
	return err
}

// warnUnmet warns of an agent that was given chant's MCP server and has never contacted it: most CLIs continue silently
// then.
func (l *Launcher) warnUnmet(launch providers.Launch) error {
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
	text := fmt.Sprintf("%s has never asked chant's MCP server for its tools, and called none of them", l.Job.Provider)
	l.Announce(journal.Agent, "warning", "%s", text)
	return l.LogLine(warningPrefix + text)
}
