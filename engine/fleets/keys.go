package fleets

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/atomicfile"
	"chant/engine/fleet/subject"
	"chant/engine/keyfile"
	"chant/engine/next"
)

// keys is the folder of the keys of one fleet on this machine. It is hidden from agents.
type keys struct{ dir string }

// keysOf returns the folder of keys. Error: State without a folder for the settings of a user.
func keysOf(environ []string, project string) (keys, error) {
	folder := keyfile.Folder(environ)
	if folder == "" {
		return keys{}, engine.Fail(engine.State, next.Shell("export HOME=..."), "keys need a folder of the user, and HOME is not set")
	}
	return keys{filepath.Join(folder, "fleet", project)}, nil
}

// seedPath is the file with the key of a node.
func (k keys) seedPath(node string) string { return filepath.Join(k.dir, node+".seed") }

// write writes a secret.
func (k keys) write(path string, content []byte) error {
	if err := os.MkdirAll(k.dir, 0o700); err != nil {
		return err
	}
	return atomicfile.Write(path, content, atomicfile.Options{Mode: 0o600})
}

// users lists those that the embedded server accepts.
func (k keys) users() ([]User, error) {
	text, err := os.ReadFile(filepath.Join(k.dir, "users.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var users []User
	if err := json.Unmarshal(text, &users); err != nil {
		return nil, fmt.Errorf("%q is not a list of users: %w", filepath.Join(k.dir, "users.json"), err)
	}
	return users, nil
}

// accept adds a user, or changes its role.
func (k keys) accept(u User) error {
	users, err := k.users()
	if err != nil {
		return err
	}
	users = slices.DeleteFunc(users, func(other User) bool { return other.Name == u.Name })
	users = append(users, u)
	slices.SortFunc(users, func(a, b User) int { return strings.Compare(a.Name, b.Name) })
	text, err := json.MarshalIndent(users, "", "  ")
	if err != nil {
		return err
	}
	return k.write(filepath.Join(k.dir, "users.json"), append(text, '\n'))
}

// nodeName checks the name of a node: letters, digits and "-".
func nodeName(name string) error {
	if name == "" || len(name) > 60 || strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") != "" {
		return engine.Fail(engine.Usage, next.Guide.On("fleet"), "invalid name of a node %q (use letters, digits and -)", name)
	}
	return nil
}

// hostNode derives the name of a node from that of its machine.
func hostNode() string {
	host, err := os.Hostname()
	if err != nil {
		return "node"
	}
	host, _, _ = strings.Cut(host, ".")
	if name, err := projectName(host); err == nil {
		return name
	}
	return "node"
}

// Invitation is what another machine needs to join: the content of a file that must be kept secret.
type Invitation struct {
	URL     string       `json:"url"`
	Project string       `json:"project"`
	Remote  string       `json:"remote"` // address of the git remote
	Node    string       `json:"node"`
	Role    subject.Role `json:"role"`
	Seed    string       `json:"seed"`
	CA      string       `json:"ca,omitempty"` // certificate that the server is checked with
}

// readInvitation reads the file of an invitation; nil if the text is no path of a file.
func readInvitation(path string) (*Invitation, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var in Invitation
	if err := json.Unmarshal(text, &in); err != nil || in.URL == "" || in.Seed == "" || in.Node == "" {
		return nil, engine.Fail(engine.Invalid, next.Guide.On("fleet"), "%q is not an invitation to a fleet", path)
	}
	return &in, nil
}
