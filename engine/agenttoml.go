package engine

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// tomlServers is the table of servers in Codex's config.
const tomlServers = "mcp_servers"

// mergeTOML adds our server as a table of its own at the end of a config in TOML.
// A server of our name, however it is written, stays as it is.
func mergeTOML(name string, have, ours []byte) ([]byte, error) {
	if len(bytes.TrimSpace(have)) == 0 {
		return ours, nil
	}
	keys, err := scanTOML(name, have)
	if err != nil {
		return nil, err
	}
	closed := -1 // where the table of servers is closed to additions
	for _, k := range keys {
		switch {
		case len(k.path) > 1 && k.path[0] == tomlServers && k.path[1] == ourServer:
			return have, nil
		case slices.Equal(k.path, []string{tomlServers}) && !k.table:
			closed = k.at
		}
	}
	if closed >= 0 {
		return nil, notValid(name, lineOf(bytes.TrimPrefix(have, []byte(byteOrderMark)), closed), fmt.Sprintf("%q is written as one value, which no server can be added to", tomlServers))
	}
	newline := newlineOf(have)
	var out bytes.Buffer
	out.Write(have)
	if !bytes.HasSuffix(have, []byte("\n")) {
		out.WriteString(newline)
	}
	out.WriteString(newline + strings.ReplaceAll(string(ours), "\n", newline))
	return out.Bytes(), nil
}
