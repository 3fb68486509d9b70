package gitops

// ownedByOther leaves the question to git.
func ownedByOther(string) bool { return false }
