package jetstream

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"chant/engine/fleet"
)

// Project is the name of a project on a server.
type Project string

// maxProjectName limits the length of a project's name.
const maxProjectName = 40

// ParseProject checks the name of a project: letters, digits and "-".
func ParseProject(name string) (Project, error) {
	if name == "" || len(name) > maxProjectName || fleet.Token(name) != name {
		return "", fmt.Errorf("invalid project %q of a fleet (use letters, digits and \"-\", at most %d)", name, maxProjectName)
	}
	return Project(name), nil
}

// The streams. Each subject belongs to one of them, or to none.

// WorkStream has the entries. An entry leaves it when it is finished.
func (p Project) WorkStream() string { return "chant-" + string(p) + "-work" }

// LiveStream has what disappears without a heartbeat: nodes and leases.
func (p Project) LiveStream() string { return "chant-" + string(p) + "-live" }

// KeptStream has what stays: shared values, classes of entries, keys of nodes, and who took which entry.
func (p Project) KeptStream() string { return "chant-" + string(p) + "-kept" }

// LogStream has the logs of specs.
func (p Project) LogStream() string { return "chant-" + string(p) + "-logs" }

// Work is where an entry is stored.
func (p Project) Work(class, id string) string {
	return p.join("work", class, fleet.Token(id))
}

// WorkOf matches the entries of a class. "*" matches every class.
func (p Project) WorkOf(class string) string { return p.join("work", class, "*") }

// WorkAs matches the entry of a spec in any class.
func (p Project) WorkAs(id string) string { return p.join("work", "*", fleet.Token(id)) }

// Node is where the record of a node is stored.
func (p Project) Node(name string) string { return p.join("node", fleet.Token(name)) }

// Lease is where the holder of a role is stored.
func (p Project) Lease(role string) string { return p.join("lease", fleet.Token(role)) }

// Value is where a shared value is stored.
func (p Project) Value(key string) string { return p.join("value", fleet.Token(key)) }

// Class is where the needs of a class of entries are stored.
func (p Project) Class(class string) string { return p.join("class", class) }

// Taker is where it is stored who has taken the entry of a spec.
func (p Project) Taker(id string) string { return p.join("taker", fleet.Token(id)) }

// Key is where the public key of a node is stored.
func (p Project) Key(node string) string { return p.join("key", fleet.Token(node)) }

// Ask is where a node asks hubs.
func (p Project) Ask(node string) string { return p.join("ask", fleet.Token(node)) }

// logParts is the number of subjects that the logs of a node have.
const logParts = 8

// Log is where a node stores the log of a spec, and those of some other specs.
func (p Project) Log(node, id string) string {
	h := fnv.New32a()
	h.Write([]byte(id))
	return p.logPart(node, int(h.Sum32()%logParts))
}

func (p Project) logPart(node string, n int) string {
	return p.join("log", fleet.Token(node), strconv.Itoa(n))
}

// Logs matches the logs of all nodes.
func (p Project) Logs() string { return p.join("log", "*", "*") }

// Logged announces that a node has appended something to a log.
func (p Project) Logged(node string) string { return p.join("logged", fleet.Token(node)) }

// Change announces a change.
func (p Project) Change(kind fleet.ChangeKind) string { return p.join("change", string(kind)) }

// Changes matches the changes of every kind.
func (p Project) Changes() string { return p.Any("change") }

// Command announces a command to a node.
func (p Project) Command(node string) string { return p.join("command", fleet.Token(node)) }

// NodeIn returns the node in a subject on which only that node writes.
func (p Project) NodeIn(subject string) (node string, ok bool) {
	rest, ok := strings.CutPrefix(subject, p.join(""))
	parts := strings.Split(rest, ".")
	if !ok || len(parts) < 2 {
		return "", false
	}
	return fleet.FromToken(parts[1])
}

// Any matches every subject of a kind with one more token.
func (p Project) Any(kind string) string { return p.join(kind, "*") }

// All matches every subject of the project.
func (p Project) All() string { return p.join(">") }

func (p Project) join(tokens ...string) string {
	out := "chant." + string(p)
	for _, t := range tokens {
		out += "." + t
	}
	return out
}

// maxClassName limits the length of the name of a class, because it is also that of a consumer.
const maxClassName = 120

// ClassOf returns the class of entries with the same needs, in whatever order labels are given, as part of a subject and as
// the name of a consumer.
func ClassOf(n fleet.Needs) string {
	class := fleet.Token(n.Provider)
	// Sorted, since the same needs in another order are the same class.
	for _, label := range slices.Compact(slices.Sorted(slices.Values(n.Labels))) {
		class += "=" + fleet.Token(label)
	}
	switch {
	case class == "":
		return "_"
	case len(class) > maxClassName:
		sum := sha256.Sum256([]byte(class))
		return hex.EncodeToString(sum[:16])
	}
	return class
}

// Role is what a user of the server may do.
type Role string

// The roles.
const (
	HubRole    Role = "hub"    // everything in the project
	WorkerRole Role = "worker" // ask hubs, and report on itself
)

// User is a node that may connect to the server of a queue.
type User struct {
	Name      string `json:"name"`       // of the node; it can write only the record of this node
	PublicKey string `json:"public_key"` // of its nkey
	Role      Role   `json:"role"`
}

// ServerOptions are the settings of a server that one program runs for the queue of a project.
type ServerOptions struct {
	Project      string   // whose queue it is
	Listen       string   // host:port; default 127.0.0.1:0, and port 0 is any free one
	Store        string   // a folder
	Hosts        []string // names and addresses for its certificate; none = no TLS, which is allowed on loopback only
	Certificates string   // the folder of its certificate, made where it is missing
	Users        []User
}

// Grant is what a role may do on a server.
type Grant struct {
	Publish   []string
	Subscribe []string
}

// Grants returns what a role may do as a node. Each subject on which a worker may write has its node, and their number is
// fixed, so that what the server keeps of each bounds what it keeps of a node.
func (p Project) Grants(role Role, node string) Grant {
	if role == HubRole {
		return Grant{Publish: []string{p.All(), "$JS.API.>", "$JS.ACK.>"}, Subscribe: []string{p.All()}}
	}
	g := Grant{
		Publish:   []string{p.Ask(node), p.Node(node), p.Logged(node), ReadSubject(p.LiveStream()), ReadSubject(p.LogStream())},
		Subscribe: []string{p.Command(node), p.Changes(), p.Any("logged")},
	}
	// A fixed number of subjects limits what the server keeps of each worker.
	for n := range logParts {
		g.Publish = append(g.Publish, p.logPart(node, n))
	}
	return g
}

// nextSubject is the subject on which entries are pulled from a consumer.
func nextSubject(stream, consumer string) string {
	return "$JS.API.CONSUMER.MSG.NEXT." + stream + "." + consumer
}

// ReadSubject is the subject on which messages of a stream are read.
func ReadSubject(stream string) string { return "$JS.API.DIRECT.GET." + stream }

// Inbox returns the prefix of the subjects on which the user with a public key gets answers, "" for a user without one.
// No other user may subscribe to them.
func Inbox(publicKey string) string {
	if publicKey == "" {
		return ""
	}
	return "_INBOX." + publicKey
}
