// A scene with heat that pages show.
#ifndef THAW_SCENE_HEAT_PAGE_H
#define THAW_SCENE_HEAT_PAGE_H

// clang-format off
#define SCENE_HEAT_EXAMPLE \
    "thaw: 1\n" \
    "title: Butter in a hot pan\n" \
    "spacing: 1 cm\n" \
    "frames: {count: 96, fps: 24}\n" \
    "materials:\n" \
    "  butter:\n" \
    "    density: 910\n" \
    "    solid: {young: 1e5, damping: 0.3}\n" \
    "    liquid: {viscosity: 1e-4}\n" \
    "    thermal:\n" \
    "      conductivity: 300         # W/(m K): 1500 times the true one, so that seconds do\n" \
    "      specific_heat: 2100       # J/(kg K)\n" \
    "      melts_at: 32 C\n" \
    "      latent_heat: 60 kJ/kg\n" \
    "      stiffness: [[5 C, 1], [30 C, 0.1]]      # softens before it runs\n" \
    "bodies:\n" \
    "  - name: pat\n" \
    "    material: butter\n" \
    "    state: solid\n" \
    "    temperature: 5 C\n" \
    "    shape: {box: {center: [0, 0, 0.05], size: [0.14, 0.14, 0.06]}}\n" \
    "colliders:\n" \
    "  - name: pan\n" \
    "    container: yes\n" \
    "    temperature: [[0, 120 C], [2, 120 C], [2.5, 0 C]]   # then on ice\n" \
    "    frosts: yes                 # cold butter sticks to it\n" \
    "    shape: {cylinder: {from: [0, 0, 0], to: [0, 0, 0.3], radius: 0.2}}\n"
// clang-format on

#endif
