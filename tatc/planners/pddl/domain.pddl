; The household as the planner sees it: one hand, places, doors, water, heat.
;
; Preconditions are plain conjunctions of positive facts, so that pddlpy grounds them by
; joining the static ones (fits, waters, heats, ...).  What would be a negation is a fact
; of its own: shut/open, off/on, dirty/clean, empty/full.  Effects are TEACh's rules of
; water, heat and slices, as far as a plan needs them.

(define (domain household)
  (:requirements :strips :typing)

  (:types
    item fixture - object
    solid vessel - item
    knife - solid
    sink faucet knob burner microwave toaster coffeemachine fridge - fixture
    basin - sink)                      ; of a sink: a tub's is none

  (:predicates
    (hand-free)
    (holding ?o - item)
    (aside ?o - item)                  ; lies where it can be taken, no matter where
    (in ?o - item ?r - object)         ; in or on a place that matters
    (fits ?o - item ?r - object)
    (soaks ?o - item ?v - vessel)      ; goes in only once there is water
    (roomy ?r - object)                ; takes more than one thing
    (tight ?r - object)                ; takes one more once one was taken out
    (vacant ?r - object)               ; a tight place that takes one now
    (reachable ?r - object)            ; nothing shuts it off
    (has-door ?c - object)
    (open ?c - object)
    (shut ?c - object)
    (switchable ?d - object)
    (on ?d - object)
    (off ?d - object)
    (waters ?f - faucet ?s - sink)
    (heats ?k - knob ?b - burner)
    (dirty ?o - object)
    (clean ?o - object)               ; a fixture is clean, too
    (empty ?o - object)
    (full ?o - object)
    (wet ?o - object)                  ; held water once, which is enough to boil in
    (coffee ?o - object)
    (waterable ?t - object)
    (sliceable ?w - item)
    (cut ?w - item)
    (piece ?p - item ?w - item)        ; what the whole will fall into
    (unborn ?p - item)
    (cracks ?e - item ?c - item)
    (toastable ?x - item)
    (microwavable ?x - item)
    (cookable ?x - item)
    (raw ?x - item)
    (cooked ?x - item)                 ; AI2-THOR's isCooked
    (heated ?x - object)               ; TEACh's simbotIsCooked
    (boiled ?x - object)
    (washable ?x - item)
    (coolable ?x - item)
    (was-cleaned ?x - object)          ; ALFRED's marks of what was done, which never go
    (was-heated ?x - object)
    (was-cooled ?x - object))

  ; ---- the hand

  (:action pick-up
    :parameters (?o - item)
    :precondition (and (hand-free) (aside ?o))
    :effect (and (holding ?o) (reachable ?o)
                 (not (hand-free)) (not (aside ?o))))

  (:action put-down
    :parameters (?o - item)
    :precondition (and (holding ?o))
    :effect (and (hand-free) (aside ?o)
                 (not (holding ?o))))

  (:action take
    :parameters (?o - item ?r - object)
    :precondition (and (fits ?o ?r) (roomy ?r) (hand-free) (in ?o ?r) (reachable ?r))
    :effect (and (holding ?o) (reachable ?o)
                 (not (hand-free)) (not (in ?o ?r))))

  (:action put
    :parameters (?o - item ?r - object)
    :precondition (and (fits ?o ?r) (roomy ?r) (holding ?o) (reachable ?r))
    :effect (and (hand-free) (in ?o ?r)
                 (not (holding ?o))))

  (:action take-out
    :parameters (?o - item ?r - object)
    :precondition (and (fits ?o ?r) (tight ?r) (hand-free) (in ?o ?r) (reachable ?r))
    :effect (and (holding ?o) (reachable ?o) (vacant ?r)
                 (not (hand-free)) (not (in ?o ?r))))

  (:action put-in
    :parameters (?o - item ?r - object)
    :precondition (and (fits ?o ?r) (tight ?r) (holding ?o) (reachable ?r) (vacant ?r))
    :effect (and (hand-free) (in ?o ?r)
                 (not (holding ?o)) (not (vacant ?r))))

  (:action put-in-water
    :parameters (?o - item ?v - vessel)
    :precondition (and (soaks ?o ?v) (holding ?o) (reachable ?v) (wet ?v))
    :effect (and (hand-free) (in ?o ?v)
                 (not (holding ?o))))

  ; ---- doors and switches

  (:action open-door
    :parameters (?c - object)
    :precondition (and (has-door ?c) (shut ?c))
    :effect (and (open ?c) (reachable ?c)
                 (not (shut ?c))))

  (:action close-door
    :parameters (?c - object)
    :precondition (and (has-door ?c) (open ?c))
    :effect (and (shut ?c)
                 (not (open ?c)) (not (reachable ?c))))

  (:action switch-on
    :parameters (?d - object)
    :precondition (and (switchable ?d) (off ?d))
    :effect (and (on ?d)
                 (not (off ?d))))

  (:action switch-off
    :parameters (?d - object)
    :precondition (and (switchable ?d) (on ?d))
    :effect (and (off ?d)
                 (not (on ?d))))

  ; ---- water

  (:action rinse
    :parameters (?o - solid ?s - sink ?f - faucet)
    :precondition (and (fits ?o ?s) (waters ?f ?s) (in ?o ?s) (on ?f))
    :effect (and (clean ?o)
                 (not (dirty ?o))))

  (:action fill
    :parameters (?v - vessel ?s - sink ?f - faucet)
    :precondition (and (fits ?v ?s) (waters ?f ?s) (in ?v ?s) (on ?f))
    :effect (and (clean ?v) (full ?v) (wet ?v)
                 (not (dirty ?v)) (not (empty ?v))))

  (:action wash
    :parameters (?o - item ?s - basin ?f - faucet)
    :precondition (and (washable ?o) (fits ?o ?s) (waters ?f ?s) (in ?o ?s) (on ?f))
    :effect (and (was-cleaned ?o)))

  (:action pour-out
    :parameters (?v - vessel ?s - sink)
    :precondition (and (holding ?v) (full ?v))
    :effect (and (empty ?v)
                 (not (full ?v)) (not (coffee ?v))))

  (:action pour-into
    :parameters (?v - vessel ?t - object)
    :precondition (and (waterable ?t) (holding ?v) (full ?v) (empty ?t))
    :effect (and (full ?t) (empty ?v)
                 (not (empty ?t)) (not (full ?v)) (not (coffee ?v))))

  ; ---- the knife

  (:action slice
    :parameters (?w - item ?k - knife)
    :precondition (and (sliceable ?w) (holding ?k) (aside ?w))
    :effect (and (cut ?w)
                 (not (aside ?w))))

  (:action take-piece
    :parameters (?p - item ?w - item)
    :precondition (and (piece ?p ?w) (cut ?w) (unborn ?p) (hand-free))
    :effect (and (holding ?p)
                 (not (unborn ?p)) (not (hand-free))))

  (:action crack
    :parameters (?e - item ?c - item ?k - knife)
    :precondition (and (cracks ?e ?c) (holding ?k) (aside ?e))
    :effect (and (cut ?e) (aside ?c)
                 (not (aside ?e))))

  (:action crack-in
    :parameters (?e - item ?c - item ?k - knife ?v - item)
    :precondition (and (cracks ?e ?c) (fits ?e ?v) (holding ?k) (in ?e ?v)
                       (reachable ?v))
    :effect (and (cut ?e) (in ?c ?v)
                 (not (in ?e ?v))))

  ; ---- heat

  (:action brew
    :parameters (?m - vessel ?a - coffeemachine)
    :precondition (and (fits ?m ?a) (in ?m ?a) (empty ?m))
    :effect (and (coffee ?m) (full ?m)
                 (not (empty ?m))))

  (:action toast
    :parameters (?x - item ?a - toaster)
    :precondition (and (toastable ?x) (fits ?x ?a) (in ?x ?a))
    :effect (and (cooked ?x) (heated ?x)
                 (not (raw ?x))))

  (:action cook-in-microwave
    :parameters (?x - item ?a - microwave)
    :precondition (and (microwavable ?x) (fits ?x ?a) (in ?x ?a))
    :effect (and (cooked ?x) (heated ?x) (was-heated ?x) (shut ?a)
                 (not (raw ?x)) (not (open ?a)) (not (reachable ?a))))

  (:action cook-on-burner
    :parameters (?x - item ?v - item ?b - burner ?k - knob)
    :precondition (and (cookable ?x) (fits ?x ?v) (fits ?v ?b) (heats ?k ?b)
                       (in ?x ?v) (in ?v ?b))
    :effect (and (cooked ?x) (heated ?x) (on ?k)
                 (not (raw ?x)) (not (off ?k))))

  (:action cool-in-fridge
    :parameters (?x - item ?a - fridge)
    :precondition (and (coolable ?x) (fits ?x ?a) (in ?x ?a))
    :effect (and (was-cooled ?x) (shut ?a)
                 (not (open ?a)) (not (reachable ?a))))

  (:action boil
    :parameters (?x - item ?v - vessel ?b - burner ?k - knob)
    :precondition (and (cookable ?x) (soaks ?x ?v) (fits ?v ?b) (heats ?k ?b)
                       (in ?x ?v) (in ?v ?b) (wet ?v) (raw ?x))
    :effect (and (boiled ?x) (cooked ?x) (heated ?x) (on ?k)
                 (not (raw ?x)) (not (off ?k))))

  (:action boil-in-microwave
    :parameters (?x - item ?v - vessel ?a - microwave)
    :precondition (and (microwavable ?x) (soaks ?x ?v) (fits ?v ?a)
                       (in ?x ?v) (in ?v ?a) (wet ?v) (raw ?x))
    :effect (and (boiled ?x) (cooked ?x) (heated ?x) (shut ?a)
                 (not (raw ?x)) (not (open ?a)) (not (reachable ?a)))))
