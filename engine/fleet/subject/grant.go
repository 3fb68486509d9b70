package subject

import (
	"crypto/sha256"
	"encoding/hex"

	"chant/engine/fleet"
)

// Role is what a user of the server may do.
type Role string

// The roles.
const (
	Hub    Role = "hub"    // everything in the project
	Lander Role = "lander" // take, report, hold leases, send commands
	Worker Role = "worker" // take, and report on itself
)

// Grant is what a role may do on a server.
type Grant struct {
	Publish   []string
	Subscribe []string
}

// Grants returns what a role may do as a node. Only the subjects of that node are writable for it where a subject names
// a node. Pulling entries and acknowledging them cannot be restricted further: a worker could acknowledge the entry of
// another one, which makes the queue lose an entry and changes nothing in git.
func (p Project) Grants(role Role, node string) Grant {
	if role == Hub {
		return Grant{Publish: []string{p.All(), "$JS.API.>", "$JS.ACK.>"}, Subscribe: []string{p.All()}}
	}
	g := Grant{
		Publish: []string{
			NextOf(p.WorkStream(), "*"), "$JS.ACK." + p.WorkStream() + ".>",
			ReadOf(p.WorkStream()), ReadOf(p.LiveStream()), ReadOf(p.KeptStream()), ReadOf(p.LogStream()),
			p.Node(node), p.Any("taker"), p.Any("value"), p.Any("log"), p.Any("logged"),
			p.Change(fleet.Taken, node), p.Change(fleet.PutBack, node), p.Change(fleet.Finished, node),
		},
		Subscribe: []string{p.Command(), p.Changes("*"), p.Any("logged")},
	}
	if role == Lander {
		g.Publish = append(g.Publish, p.Any("lease"), p.Command(), p.Change(fleet.Landed, node), p.Change(fleet.Refused, node))
	}
	return g
}

// NextOf is the subject on which entries are pulled from a consumer.
func NextOf(stream, consumer string) string {
	return "$JS.API.CONSUMER.MSG.NEXT." + stream + "." + consumer
}

// ReadOf is the subject on which messages of a stream are read.
func ReadOf(stream string) string { return "$JS.API.DIRECT.GET." + stream }

// Inbox returns the prefix of the subjects on which the user with a public key gets answers, "" for a user without one.
// No other user may subscribe to them.
func Inbox(publicKey string) string {
	if publicKey == "" {
		return ""
	}
	return "_INBOX." + publicKey
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}
