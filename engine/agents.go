package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"chant/gitops"
)

// claudeConfig is where Claude Code looks for a project's MCP servers.
const claudeConfig = ".mcp.json"

// claude names `chant mcp` in .mcp.json. Other servers in the file stay; one
// called chant stays as it is.
func (i *initializer) claude() error {
	full := filepath.Join(i.repo.Home(), claudeConfig)
	src, err := os.ReadFile(full)
	if errors.Is(err, fs.ErrNotExist) {
		text, err := mcpConfig(map[string]json.RawMessage{}, map[string]json.RawMessage{})
		if err != nil {
			return err
		}
		return i.make(claudeConfig, text)
	}
	if err != nil {
		return err
	}
	whole, servers := map[string]json.RawMessage{}, map[string]json.RawMessage{}
	err = json.Unmarshal(src, &whole)
	if err == nil && whole["mcpServers"] != nil {
		err = json.Unmarshal(whole["mcpServers"], &servers)
	}
	if err != nil {
		return fail(Invalid, "cat "+claudeConfig, "%s: %s", claudeConfig, err)
	}
	if servers["chant"] != nil {
		i.result.Left = append(i.result.Left, claudeConfig)
		return nil
	}
	text, err := mcpConfig(whole, servers)
	if err != nil {
		return err
	}
	if err := os.WriteFile(full, text, 0o644); err != nil {
		return fmt.Errorf("write %q: %w", claudeConfig, err)
	}
	i.result.Changed = append(i.result.Changed, claudeConfig)
	i.files = append(i.files, gitops.File{Path: claudeConfig, Content: text})
	return nil
}

// mcpConfig adds the server chant, as the MCP contract spells it.
func mcpConfig(whole, servers map[string]json.RawMessage) ([]byte, error) {
	servers["chant"] = json.RawMessage(`{"type":"stdio","command":"chant","args":["mcp"]}`)
	raw, err := json.Marshal(servers)
	if err != nil {
		return nil, err
	}
	whole["mcpServers"] = raw
	text, err := json.MarshalIndent(whole, "", "  ")
	return append(text, '\n'), err
}
