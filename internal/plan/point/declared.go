package point

import "slices"

// declared are all keys, in the order in which a case's product is made: the last one's values change fastest. A new key
// goes to the end of its group, unless it says something for those behind it.
var declared = slices.Concat(declaredSides, declaredCalls, declaredLoads, declaredPaths, declaredProcesses, declaredHosts,
	declaredCodings, declaredPhases, declaredService)

// All stands for every stack that supports a case, including those of other workers but not the floor. As a message or codec it
// stands for every one that the stack has.
const All = "all"

// uncalled names the kinds for which columns of calls over a network are empty.
const uncalled = "encode, decode"
