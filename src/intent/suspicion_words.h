// The vocabulary of the suspicion rules: each word, or pair of words, stands for concepts. The table is in
// suspicion_words.cpp; the rules that combine concepts are in suspicion.cpp.
#pragma once

#include <cstdint>

#include "intent/tokens.h"

namespace deputy::intent {

using Concepts = std::uint64_t;

enum Concept : Concepts {
  // Verbs, when they say what the writer wants done.
  kObtain = 1ULL << 0,     // show, give, send
  kPrint = 1ULL << 1,      // print, dump, echo: also used with environment variables
  kExport = 1ULL << 2,     // export, download, copy
  kBypass = 1ULL << 3,     // bypass, skip, ignore
  kSwitchOff = 1ULL << 4,  // disable, turn off
  kErase = 1ULL << 5,      // delete, wipe
  kQuery = 1ULL << 6,      // query, connect, browse
  kExecute = 1ULL << 7,    // run, execute
  kCarryOut = 1ULL << 8,   // deploy, merge, restart: "without approval" may follow
  kGrant = 1ULL << 9,      // give, grant, make
  kApprove = 1ULL << 10,   // approve
  kSelfApprove = 1ULL << 11,
  kSearch = 1ULL << 12,     // grep, search
  kSeek = 1ULL << 13,       // ask, wait, need: counts when negated
  kNeed = 1ULL << 14,       // I need, we want
  kPretend = 1ULL << 15,    // pretend, imagine
  kWish = 1ULL << 16,       // needs, demands: counts after a kLawPerson
  kOtherVerb = 1ULL << 17,  // rotate, reset, fix: cancels an earlier verb

  // Objects.
  kSecret = 1ULL << 18,
  kToken = 1ULL << 19,
  kVariables = 1ULL << 20,
  kEnvironment = 1ULL << 21,
  kPersonal = 1ULL << 22,
  kPeople = 1ULL << 23,       // customers, users
  kPeopleThing = 1ULL << 24,  // emails, records: personal when they belong to people
  kMass = 1ULL << 25,         // data that can be copied in bulk
  kDatabase = 1ULL << 26,
  kStatement = 1ULL << 27,  // a query, some SQL
  kDumpTool = 1ULL << 28,
  kControl = 1ULL << 29,
  kPermission = 1ULL << 30,
  kAuditTrail = 1ULL << 31,
  kPrivilege = 1ULL << 32,
  kYourself = 1ULL << 33,
  kLegal = 1ULL << 34,
  kLawPerson = 1ULL << 35,
  kLegalData = 1ULL << 36,
  kNoLimits = 1ULL << 37,
  kThis = 1ULL << 38,

  // Words around them.
  kEvidence = 1ULL << 39,  // errors, status: the request wants these, not the object
  kAbout = 1ULL << 40,     // which, when, why: the request wants a fact about the object
  kStale = 1ULL << 41,     // expired, invalid, new
  kFunction = 1ULL << 42,  // of, for, please: may follow an object
  kUsed = 1ULL << 43,      // used, stored: may follow a secret
  kPart = 1ULL << 44,      // step, check: may follow a control
  kAll = 1ULL << 45,       // all, every, entire
  kMe = 1ULL << 46,
  kFrom = 1ULL << 47,
  kMachinery = 1ULL << 48,  // service, job, pods: the object is only part of a name
  kOutside = 1ULL << 49,    // laptop, gmail
};

/// The concepts of a single word; common misspellings are recognised.
Concepts concepts_of(std::string_view word);
/// The concepts of two words together.
Concepts concepts_of(std::string_view first, std::string_view second);

}  // namespace deputy::intent
