package agentfile

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// tomlServers is the table of servers in Codex's config.
const tomlServers = "mcp_servers"

// mergeTOML appends our server as a table to a config in TOML.
// A server of our name stays as it is, in any notation.
func mergeTOML(name string, have, ours []byte) ([]byte, error) {
	if len(bytes.TrimSpace(have)) == 0 {
		return ours, nil
	}
	doc, err := readTOML(name, have)
	if err != nil {
		return nil, err
	}
	if servers, ok := doc[tomlServers].(map[string]any); ok && servers[ourServer] != nil {
		return have, nil
	}
	newline := newlineOf(have)
	var out bytes.Buffer
	out.Write(have)
	if !bytes.HasSuffix(have, []byte("\n")) {
		out.WriteString(newline)
	}
	out.WriteString(newline + strings.ReplaceAll(string(ours), "\n", newline))
	// Appending a table is only valid if the file does not write the servers as one value.
	if _, err := readTOML(name, out.Bytes()); err != nil {
		return nil, invalidFile(name, 1, fmt.Sprintf("%q is written as one value, which no server can be added to", tomlServers))
	}
	return out.Bytes(), nil
}

func readTOML(name string, src []byte) (map[string]any, error) {
	var doc map[string]any
	err := toml.Unmarshal(bytes.TrimPrefix(src, []byte(byteOrderMark)), &doc)
	var syntax *toml.DecodeError
	if errors.As(err, &syntax) {
		line, _ := syntax.Position()
		return nil, invalidFile(name, line, strings.TrimPrefix(syntax.Error(), "toml: "))
	}
	return doc, err
}
