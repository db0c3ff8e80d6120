// SPDX-License-Identifier: Apache-2.0
#include "softgpu/exec/order.hpp"

#include <algorithm>

namespace weft::softgpu::exec {
namespace {

constexpr std::size_t none = ~std::size_t{0};

/// Gives blocks their order: strongly connected components one after the other, inside of each the same again without the ways back to where it is entered.
class Orderer {
 public:
  explicit Orderer(std::vector<BasicBlock>& blocks) : blocks_(blocks), scope_(blocks.size(), 0), index_(blocks.size(), 0), low_(blocks.size(), 0), on_stack_(blocks.size(), 0) {}

  void run() {
    std::vector<std::size_t> all(blocks_.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    order(all, none);
  }

 private:
  /// Members in the order of the text; the first is where they are entered.
  void order(const std::vector<std::size_t>& members, std::size_t header) {
    const std::size_t scope = ++last_scope_;
    for (std::size_t block : members) scope_[block] = scope, index_[block] = 0;
    std::vector<std::vector<std::size_t>> components;
    for (std::size_t block : members)
      if (!index_[block]) search(block, scope, header, components);
    // Tarjan's algorithm finds what comes last first.
    for (auto component = components.rbegin(); component != components.rend(); ++component) {
      if (component->size() == 1) {
        blocks_[component->front()].order = next_++;
        continue;
      }
      std::sort(component->begin(), component->end());
      const std::size_t entrance = entrance_of(*component);
      order(*component, entrance);
    }
  }

  /// The block of a loop that is reached from outside; the first in the text, if several are.
  std::size_t entrance_of(const std::vector<std::size_t>& component) const {
    std::vector<char> inside(blocks_.size(), 0);
    for (std::size_t block : component) inside[block] = 1;
    std::size_t best = component.front();
    bool found = false;
    for (std::size_t from = 0; from < blocks_.size(); ++from) {
      if (inside[from]) continue;
      for (std::size_t to : blocks_[from].successors)
        if (inside[to] && (!found || to < best)) best = to, found = true;
    }
    return best;
  }

  struct Step {
    std::size_t block, next;
  };

  /// Tarjan's algorithm without recursion. Ways to `header` don't count.
  void search(std::size_t root, std::size_t scope, std::size_t header, std::vector<std::vector<std::size_t>>& components) {
    std::vector<Step> steps;
    const auto begin = [&](std::size_t block) {
      index_[block] = low_[block] = ++last_index_;
      stack_.push_back(block);
      on_stack_[block] = 1;
      steps.push_back({block, 0});
    };
    begin(root);
    while (!steps.empty()) {
      Step& step = steps.back();
      const std::size_t block = step.block;
      if (step.next < blocks_[block].successors.size()) {
        const std::size_t to = blocks_[block].successors[step.next++];
        if (scope_[to] != scope || to == header) continue;
        if (!index_[to]) begin(to);
        else if (on_stack_[to]) low_[block] = std::min(low_[block], index_[to]);
        continue;
      }
      steps.pop_back();
      if (!steps.empty()) low_[steps.back().block] = std::min(low_[steps.back().block], low_[block]);
      if (low_[block] != index_[block]) continue;
      auto& component = components.emplace_back();
      std::size_t member;
      do {
        member = stack_.back();
        stack_.pop_back();
        on_stack_[member] = 0;
        component.push_back(member);
      } while (member != block);
    }
  }

  std::vector<BasicBlock>& blocks_;
  std::vector<std::size_t> scope_, index_, low_, stack_;
  std::vector<char> on_stack_;
  std::size_t last_scope_ = 0, last_index_ = 0;
  std::uint32_t next_ = 0;
};

bool ends_way(const ptx::Instruction& instruction) { return instruction.opcode == "ret" || instruction.opcode == "exit" || instruction.opcode == "trap"; }

bool is_branch(const ptx::Instruction& instruction) { return instruction.opcode == "bra" || instruction.opcode == "brx"; }

std::size_t label_of(const ptx::Function& function, const std::string& name, int line) {
  auto found = function.labels.find(name);
  if (found == function.labels.end()) throw ptx::Error(line, "a branch to '" + name + "', which is no label of this function");
  return found->second;
}

std::vector<std::size_t> targets_of(const ptx::Function& function, const ptx::Instruction& instruction) {
  std::vector<std::size_t> targets;
  if (instruction.operands.empty()) throw ptx::Error(instruction.line, "a branch without a target");
  const std::string& name = instruction.operands.back().name;
  if (instruction.opcode == "bra") return {label_of(function, name, instruction.line)};
  auto table = function.tables.find(name);
  if (table == function.tables.end()) throw ptx::Error(instruction.line, "'" + name + "' is no list of branch targets");
  for (const std::string& one : table->second) targets.push_back(label_of(function, one, instruction.line));
  return targets;
}

}  // namespace

std::vector<BasicBlock> blocks_of(const ptx::Function& function) {
  const auto& instructions = function.instructions;
  const std::size_t count = instructions.size();
  std::vector<char> leader(count + 1, 0);
  leader[0] = 1;
  for (std::size_t i = 0; i < count; ++i) {
    if (is_branch(instructions[i]))
      for (std::size_t target : targets_of(function, instructions[i])) leader[target] = 1;
    if (is_branch(instructions[i]) || ends_way(instructions[i])) leader[i + 1] = 1;
  }
  leader[count] = 1;  // the place behind the last instruction, where a function without ret ends
  std::vector<BasicBlock> blocks;
  std::vector<std::size_t> block_at(count + 1, none);
  for (std::size_t i = 0; i <= count; ++i) {
    if (leader[i]) {
      if (!blocks.empty()) blocks.back().end = i;
      blocks.push_back({.first = i, .end = i, .successors = {}});
    }
    block_at[i] = blocks.size() - 1;
  }
  blocks.back().end = count;
  for (std::size_t b = 0; b + 1 < blocks.size(); ++b) {
    BasicBlock& block = blocks[b];
    const ptx::Instruction& last = instructions[block.end - 1];
    const bool guarded = last.guard >= 0;
    if (is_branch(last))
      for (std::size_t target : targets_of(function, last)) block.successors.push_back(block_at[target]);
    if (guarded || !(is_branch(last) || ends_way(last))) block.successors.push_back(b + 1);
  }
  for (const BasicBlock& block : blocks)
    for (std::size_t to : block.successors) ++blocks[to].predecessors;
  Orderer(blocks).run();
  return blocks;
}

}  // namespace weft::softgpu::exec
