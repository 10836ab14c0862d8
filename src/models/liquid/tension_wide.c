// Surface tension's inner loops: where the free surface is, and how it pulls.
//
// n_i = ∇ of the volume fraction is not 0 near the free surface alone. The energy Σ σ_i V_i (√(n² + ε²) − ε) is σ times
// the surface's area. Its exact gradient is a sum over pairs,
//   F_ij = − V_i V_j H_ij (s_i − s_j),   s = σ n / √(n² + ε²),
// with H the Hessian of W: nothing on a flat surface, where s is uniform, and curvature elsewhere. Pairs push
// alike in both directions, and the energy does not change when all turn: momentum and spin are kept. Walls are in n by
// their γ, and so have a part of the gradient: −V ∇∇γ s, which is across them (thaw_walls_bend).
#include "models/liquid/tension.h"

#include "collision/walls.h"
#include "models/liquid/pairs.h"

#include <math.h>

// Hessian of (1 − q²)⁶: −12/h² t⁴ (t 1 − 10 r rᵀ / h²)
#define HESSIAN_FACTOR 10.0f

// ---------------------------------------------------------------- where the surface is

// ψ of the energy −f ψ that a pair's attraction has: half of t³/3 − t⁹/(9 W), W at one spacing
THAW_INLINE F8 hold_of(F8 t) {
    F8 t3 = f8_mul(t, f8_mul(t, t));
    F8 near = f8_mul(f8_mul(t3, t3), f8_set(-1.0f / (18.0f * THAW_LIQUID_NEAR)));
    return f8_mul(t3, f8_add(near, f8_set(1.0f / 6.0f)));
}

// h ∇ of the volume fraction that particles make; *held is Σ (f_i + f_j) V_j ψ
THAW_INLINE Move slope_of(const ThawLiquidPass *pass, const ThawCluster *cluster,
                          const Lanes *lanes, const Grains *own, F8 *held, bool mixed) {
    F8 x = f8_set(0.0f), y = f8_set(0.0f), z = f8_set(0.0f), hold = f8_set(0.0f);
    PairScale scale = same_scale(pass);
    for (uint32_t s = 0; s < cluster->segment_count; s++) {
        const ThawSegment *segment = &pass->segments[cluster->segment + s];
        Lanes seen = see_through(lanes, segment, mixed);
        for (uint32_t k = 0; k < segment->count; k++) {
            uint32_t j = segment->list[k];
            Offset d = offset_to(&seen, &pass->place[j], mixed);
            if (mixed) scale = mixed_scale(pass, own, &pass->grains[j]);
            F8 t = falloff(&d, scale.inverse_h2, mixed), slope = kernel_slope(t);
            F8 part = hold_of(t);
            if (mixed) {
                slope = f8_mul(slope, f8_mul(scale.weight, scale.inverse_h2));
                F8 pull = f8_add(own->cap, f8_set(pass->grains[j].cap));
                part = f8_mul(part, f8_mul(scale.weight, pull));
            }
            hold = f8_add(hold, part);
            x = f8_fma(slope, d.x, x);
            y = f8_fma(slope, d.y, y);
            z = f8_fma(slope, d.z, z);
        }
    }
    F8 pulls = f8_add(own->cap, own->cap);
    *held = mixed ? hold : f8_mul(hold, f8_mul(scale.weight, pulls));
    // mixed offsets are in place units: per place unit to per support
    F8 factor = mixed ? f8_mul(own->support, f8_set(-SLOPE_FACTOR * THAW_PLACE_ONE))
                      : f8_mul(scale.weight, f8_set(-SLOPE_FACTOR));
    return (Move){f8_mul(x, factor), f8_mul(y, factor), f8_mul(z, factor)};
}

THAW_INLINE void store_rows(float *rows, const Move *move, uint32_t count) {
    float columns[3][THAW_LANES];
    f8_store(columns[0], move->x);
    f8_store(columns[1], move->y);
    f8_store(columns[2], move->z);
    for (uint32_t k = 0; k < count; k++) {
        for (uint32_t a = 0; a < 3; a++) rows[3 * k + a] = columns[a][k];
    }
}

THAW_INLINE float add_lanes(F8 lanes, uint32_t count) {
    float values[THAW_LANES], sum = 0;
    f8_store(values, lanes);
    for (uint32_t k = 0; k < count; k++) sum += values[k];
    return sum;
}

// s of each row, and as the chunk's sums Σ σ V (√(n² + ε²) − ε) / h in N/m and cells, and Σ m Σ (f_i + f_j) V_j ψ in
// kg/m³ and cells
THAW_INLINE void surface_chunk(const ThawTensionPass *tension, uint32_t chunk, bool mixed) {
    const ThawLiquidPass *pass = tension->liquid;
    ThawRange range = thaw_chunk_range(chunk, pass->cluster_count, THAW_LIQUID_CHUNK);
    const F8 noise = f8_set(tension->noise), floor = f8_mul(noise, noise);
    float energy = 0, hold = 0;
    for (uint32_t c = range.begin; c < range.end; c++) {
        const ThawCluster *cluster = &pass->clusters[c];
        Lanes lanes = load_lanes(pass->place, cluster);
        Grains own = load_grains(pass, cluster->first, mixed);
        float *rows = &tension->pull[3 * (size_t)cluster->first];
        F8 held;
        Move n = load_rows(rows), own_n = slope_of(pass, cluster, &lanes, &own, &held, mixed);
        n = (Move){f8_add(n.x, own_n.x), f8_add(n.y, own_n.y), f8_add(n.z, own_n.z)};
        F8 square = f8_fma(n.z, n.z, f8_fma(n.y, n.y, f8_fma(n.x, n.x, floor)));
        F8 length = f8_sqrt(square), factor = f8_div(own.tension, length);
        F8 part =
            f8_div(f8_mul(own.tension, f8_mul(own.volume, f8_sub(length, noise))), own.support);
        energy += add_lanes(part, cluster->count);
        F8 mass = f8_mul(own.density, own.volume);
        hold += add_lanes(f8_mul(f8_mul(mass, held), f8_set(SLOPE_FACTOR)), cluster->count);
        n = (Move){f8_mul(n.x, factor), f8_mul(n.y, factor), f8_mul(n.z, factor)};
        store_rows(rows, &n, cluster->count);
    }
    pass->sums[chunk].error = energy;
    pass->sums[chunk].max_error = hold;
}

void THAW_WIDE(thaw_tension_surface)(const ThawTensionPass *tension, uint32_t chunk) {
    if (tension->liquid->grains != NULL)
        surface_chunk(tension, chunk, true);
    else
        surface_chunk(tension, chunk, false);
}

// ---------------------------------------------------------------- how it pulls

// Σ V_j t⁴ (t Δ − 10 (r·Δ) r / h²) over h² with Δ = s_i − s_j
THAW_INLINE Move bend_of(const ThawTensionPass *tension, const ThawCluster *cluster,
                         const Lanes *lanes, const Grains *own, const Move *si, bool mixed) {
    const ThawLiquidPass *pass = tension->liquid;
    F8 x = f8_set(0.0f), y = f8_set(0.0f), z = f8_set(0.0f);
    PairScale scale = same_scale(pass);
    F8 weight = f8_set(1.0f), turn = f8_set(HESSIAN_FACTOR);
    for (uint32_t s = 0; s < cluster->segment_count; s++) {
        const ThawSegment *segment = &pass->segments[cluster->segment + s];
        Lanes seen = see_through(lanes, segment, mixed);
        for (uint32_t k = 0; k < segment->count; k++) {
            uint32_t j = segment->list[k];
            Offset d = offset_to(&seen, &pass->place[j], mixed);
            if (mixed) {
                scale = mixed_scale(pass, own, &pass->grains[j]);
                weight = f8_mul(scale.weight, scale.inverse_h2);
                turn = f8_mul(scale.inverse_h2, f8_set(HESSIAN_FACTOR));
            }
            F8 t = falloff(&d, scale.inverse_h2, mixed), t2 = f8_mul(t, t);
            const float *sj = &tension->pull[3 * (size_t)j];
            F8 dx = f8_sub(si->x, f8_set(sj[0])), dy = f8_sub(si->y, f8_set(sj[1])),
               dz = f8_sub(si->z, f8_set(sj[2]));
            F8 along = f8_fma(d.z, dz, f8_fma(d.y, dy, f8_mul(d.x, dx)));
            F8 t4 = f8_mul(f8_mul(t2, t2), weight);
            F8 straight = f8_mul(t4, t), back = f8_mul(t4, f8_mul(along, turn));
            x = f8_fma(straight, dx, f8_nma(back, d.x, x));
            y = f8_fma(straight, dy, f8_nma(back, d.y, y));
            z = f8_fma(straight, dz, f8_nma(back, d.z, z));
        }
    }
    F8 factor = mixed ? f8_set(1.0f / UNIT2) : scale.weight;
    return (Move){f8_mul(x, factor), f8_mul(y, factor), f8_mul(z, factor)};
}

THAW_INLINE void pull_chunk(const ThawTensionPass *tension, uint32_t chunk, bool mixed) {
    const ThawLiquidPass *pass = tension->liquid;
    ThawRange range = thaw_chunk_range(chunk, pass->cluster_count, THAW_LIQUID_CHUNK);
    for (uint32_t c = range.begin; c < range.end; c++) {
        const ThawCluster *cluster = &pass->clusters[c];
        Lanes lanes = load_lanes(pass->place, cluster);
        Grains own = load_grains(pass, cluster->first, mixed);
        Move s = load_rows(&tension->pull[3 * (size_t)cluster->first]);
        Move bend = bend_of(tension, cluster, &lanes, &own, &s, mixed);
        // the Hessian is −12 of the sum, and the force against it
        F8 factor = f8_div(f8_set(SLOPE_FACTOR * THAW_PLACE_ONE * tension->kick), own.density);
        apply_move(pass, cluster, &lanes, f8_mul(bend.x, factor), f8_mul(bend.y, factor),
                   f8_mul(bend.z, factor));
    }
}

void THAW_WIDE(thaw_tension_pull)(const ThawTensionPass *tension, uint32_t chunk) {
    if (tension->liquid->grains != NULL)
        pull_chunk(tension, chunk, true);
    else
        pull_chunk(tension, chunk, false);
}

// ---------------------------------------------------------------- along walls

// γ / (1 − γ): what the solid's part lacks of a move along it, of what the liquid's part makes
THAW_INLINE F8 lack_of(F8 share) {
    share = f8_min(share, f8_set((float)THAW_WALL_COMPLETED));
    return f8_div(share, f8_sub(f8_set(1.0f), share));
}

// the harmonic mean: alike for both of a pair, and 0 where one of them feels no wall and so is not completed
THAW_INLINE F8 between(F8 a, F8 b) {
    F8 sum = f8_max(f8_add(a, b), f8_set(1e-9f));
    return f8_div(f8_mul(f8_set(2.0f), f8_mul(a, b)), sum);
}

// Σ of the pressure's pairs, each times what both lack, in cells. A whole move that is completed by the particle's own
// lack alone does not push the others back, and drops on a plate drift.
THAW_INLINE Move complete(const ThawLiquidPass *pass, const ThawCluster *cluster,
                          const Lanes *lanes, const Grains *own, bool mixed) {
    F8 x = f8_set(0.0f), y = f8_set(0.0f), z = f8_set(0.0f), one = f8_set(1.0f);
    F8 lack = lack_of(f8_load(&pass->wall[cluster->first]));
    for (uint32_t s = 0; s < cluster->segment_count; s++) {
        const ThawSegment *segment = &pass->segments[cluster->segment + s];
        Lanes seen = see_through(lanes, segment, mixed);
        for (uint32_t k = 0; k < segment->count; k++) {
            uint32_t j = segment->list[k];
            Offset d = offset_to(&seen, &pass->place[j], mixed);
            F8 other = f8_set(pass->place[j].lambda), lambdas, scale = one;
            if (mixed) {
                Pair pair = compute_pair(pass, own, &pass->grains[j]);
                lambdas =
                    f8_mul(f8_fma(lanes->lambda, pair.own, f8_mul(other, pair.other)), pair.push);
                scale = pair.inverse_h2;
            } else {
                lambdas = f8_add(lanes->lambda, other);
            }
            F8 push = f8_mul(lambdas, kernel_slope(falloff(&d, scale, mixed)));
            push = f8_mul(push, between(lack, lack_of(f8_set(pass->wall[j]))));
            x = f8_fma(push, d.x, x);
            y = f8_fma(push, d.y, y);
            z = f8_fma(push, d.z, z);
        }
    }
    // see correct_chunk for the units
    F8 factor = mixed ? f8_set(-SLOPE_FACTOR * THAW_PLACE_ONE)
                      : f8_mul(same_scale(pass).weight, f8_set(-SLOPE_FACTOR));
    return (Move){f8_mul(x, factor), f8_mul(y, factor), f8_mul(z, factor)};
}

static bool is_at_wall(const ThawLiquidPass *pass, const ThawCluster *cluster) {
    for (uint32_t k = 0; k < cluster->count; k++) {
        if (pass->wall[cluster->first + k] > 0) return true;
    }
    return false;
}

THAW_INLINE void along_chunk(const ThawTensionPass *tension, uint32_t chunk, bool mixed) {
    const ThawLiquidPass *pass = tension->liquid;
    ThawRange range = thaw_chunk_range(chunk, pass->cluster_count, THAW_LIQUID_CHUNK);
    for (uint32_t c = range.begin; c < range.end; c++) {
        const ThawCluster *cluster = &pass->clusters[c];
        if (!is_at_wall(pass, cluster)) continue;
        Lanes lanes = load_lanes(pass->place, cluster);
        Grains own = load_grains(pass, cluster->first, mixed);
        Move move = complete(pass, cluster, &lanes, &own, mixed);
        float *rows = &tension->pull[3 * (size_t)cluster->first];
        store_rows(rows, &move, cluster->count);
        for (uint32_t k = 0; mixed && k < cluster->count; k++) {
            if (!(pass->grains[cluster->first + k].tension > 0)) rows[3 * k] = NAN;
        }
    }
}

void THAW_WIDE(thaw_tension_along)(const ThawTensionPass *tension, uint32_t chunk) {
    if (tension->liquid->grains != NULL)
        along_chunk(tension, chunk, true);
    else
        along_chunk(tension, chunk, false);
}
