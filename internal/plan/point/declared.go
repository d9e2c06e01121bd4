package point

import "slices"

// declared are all keys, in the order in which a case's product is made: the last one's values change fastest. A new key
// goes to the end of its group, unless it says something for those behind it.
var declared = slices.Concat(declaredSides, declaredCalls, declaredLoads, declaredPaths, declaredProcesses, declaredHosts,
	declaredCodings, declaredPhases, declaredService)

// All is the value that stands for every stack that can do a case, those of other workers included, the floor excepted. As a
// message or a codec it stands for every one that the stack has.
const All = "all"

// uncalled is what columns of calls over a network are empty for.
const uncalled = "encode, decode"
