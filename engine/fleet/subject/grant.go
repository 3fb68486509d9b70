package subject

import (
	"crypto/sha256"
	"encoding/hex"
)

// Role is what a user of the server may do.
type Role string

// The roles.
const (
	Hub    Role = "hub"    // everything in the project
	Worker Role = "worker" // ask hubs, and report on itself
)

// User is a node that may connect to the server of a queue.
type User struct {
	Name      string `json:"name"`       // of the node; it can write only the record of this node
	PublicKey string `json:"public_key"` // of its nkey
	Role      Role   `json:"role"`
}

// Grant is what a role may do on a server.
type Grant struct {
	Publish   []string
	Subscribe []string
}

// Grants returns what a role may do as a node. Each subject on which a worker may write has its node, and their number is
// fixed, so that what the server keeps of each bounds what it keeps of a node.
func (p Project) Grants(role Role, node string) Grant {
	if role == Hub {
		return Grant{Publish: []string{p.All(), "$JS.API.>", "$JS.ACK.>"}, Subscribe: []string{p.All()}}
	}
	g := Grant{
		Publish:   []string{p.Ask(node), p.Node(node), p.Logged(node), ReadOf(p.LiveStream()), ReadOf(p.LogStream())},
		Subscribe: []string{p.Command(node), p.Changes(), p.Any("logged")},
	}
	for n := range logParts {
		g.Publish = append(g.Publish, p.logPart(node, n))
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
