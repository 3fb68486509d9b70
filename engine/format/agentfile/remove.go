package agentfile

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// Remove takes from a file what a Merger has put there, byte for byte where nobody has edited the file since. nil = nothing else is
// in it. Error: *FileError for a file that cannot be read, which then stays as it is.
func (a Agent) Remove(name string, have []byte) ([]byte, error) {
	ours, err := a.Template()
	if err != nil || bytes.Equal(have, ours) {
		return nil, err
	}
	if strings.HasSuffix(name, ".toml") {
		newline := newlineOf(have)
		block := newline + strings.ReplaceAll(string(ours), "\n", newline)
		// A person who has changed our table has made it theirs.
		before, after, _ := strings.Cut(string(have), block)
		return []byte(before + after), nil
	}
	return removeJSON(name, have, ours)
}

// removeJSON removes our server, and the list of servers if it has no other one.
func removeJSON(name string, have, ours []byte) ([]byte, error) {
	body := bytes.TrimPrefix(have, []byte(byteOrderMark))
	list, _, err := ourMember(ours)
	if err != nil {
		return nil, err
	}
	root, top, err := parseObject(name, body)
	if err != nil {
		return nil, err
	}
	servers := findMember(top, list)
	if servers == nil {
		return have, nil
	}
	o, ok := servers.Value.(*hujson.Object)
	if !ok || findMember(o, ourServer) == nil {
		return have, nil
	}
	dropMember(o, ourServer)
	if len(o.Members) == 0 {
		dropMember(top, list)
	}
	// The parser was given one line end more.
	rest := bytes.TrimSuffix(root.Pack(), []byte("\n"))
	return append(have[:len(have)-len(body):len(have)-len(body)], rest...), nil
}

// dropMember removes the members of a name. A comment before one belongs to what is before it.
func dropMember(o *hujson.Object, name string) {
	for i := len(o.Members) - 1; i >= 0; i-- {
		if literal(o.Members[i].Name) != name {
			continue
		}
		if before := o.Members[i].Name.BeforeExtra; bytes.ContainsRune(before, '/') {
			next := &o.AfterExtra
			if i+1 < len(o.Members) {
				next = &o.Members[i+1].Name.BeforeExtra
			}
			*next = slices.Concat(bytes.TrimRight(before, " \t\r\n"), *next)
		}
		o.Members = slices.Delete(o.Members, i, i+1)
	}
}

// RemoveSection removes chant's section with the empty line before it. nil = nothing else is in the file but what init writes before
// the section. Errors: as of FindSection.
func RemoveSection(name string, have []byte) ([]byte, error) {
	from, to, err := FindSection(name, have)
	if err != nil || from < 0 {
		return have, err
	}
	newline := newlineOf(have)
	before := strings.TrimSuffix(string(have[:from]), newline)
	after := strings.TrimPrefix(string(have[to:]), newline)
	rest := before + after
	if words := strings.TrimSpace(rest); words == "" || words == "@"+OpenGuide || strings.HasPrefix(words, "Read "+ClaudeGuide+" too:") && !strings.Contains(words, "\n") {
		return nil, nil
	}
	return []byte(rest), nil
}
